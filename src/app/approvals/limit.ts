import { readBeyondRate } from '../../checks/facts/rates.ts';
import type { Config } from '../../config/index.ts';
import { type GivenUp, readGivenUp } from '../../ledger/queries/findings/effects.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import { readMatches } from '../../ledger/queries/receipts/matches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { parseUnits, sizeOf, type Units } from '../../money/units.ts';

/** An amount that a decision takes off an invoice without a receipt, or gives up of a finding. */
export interface TakenOff {
  /** The invoice; of a finding about no invoice, its {@link limitSubject}. */
  readonly number: number | string;
  readonly currency: string;
  /** Positive where the courier owed it, negative where it was owed to the courier. */
  readonly amount: Units;
}

/** Under whose limit the amount of a finding counts: its invoice's, else its order's, else its own. */
export function limitSubject({ invoice_number, order_id, id }: Pick<Mismatch, 'invoice_number' | 'order_id' | 'id'>) {
  return invoice_number ?? order_id ?? id;
}

/**
 * Whether a decision needs a second person: whether with it people have given up more than the limit on one invoice, in
 * one currency and direction. Whatever they gave up there counts, in any kind of decision: nobody gets past the limit
 * by several small decisions, by another kind of decision, or by choosing an exchange rate.
 *
 * @param decided what the decision itself takes off or gives up
 */
export async function isAboveLimit(
  db: LedgerReader,
  { approvals, rateTolerance }: Pick<Config, 'approvals' | 'rateTolerance'>,
  decided: readonly TakenOff[],
): Promise<boolean> {
  const { writeOffAbove } = approvals;
  const limited = decided.filter(({ currency, amount }) => amount !== 0n && writeOffAbove[currency] !== undefined);
  if (limited.length === 0) return false;
  const sums = new Map<string, Units>();
  const keyOf = ({ number, currency, amount }: TakenOff) => `${number} ${currency} ${amount > 0n ? 'to us' : 'by us'}`;
  const add = (one: TakenOff) => sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0n) + one.amount);
  const matches = await readMatches(db);
  // `named`: what people took off an invoice as a difference, of a match or of a settlement without a receipt.
  for (const { currency, invoices } of matches) {
    for (const { number, named } of invoices) add({ number, currency, amount: named });
  }
  // What a chosen rate pays of an invoice beyond the day's rate and its tolerance.
  for (const { match, shares } of await readBeyondRate(db, matches, rateTolerance)) {
    for (const { number, amount } of shares) add({ number, currency: match.currency, amount });
  }
  // A finding whose money was taken off an invoice counts once, as that.
  const settled = new Set(matches.map(({ claim: finding }) => finding));
  const unsettled = (await readGivenUp(db)).filter((one) => one.ended_by === null && !settled.has(one.mismatch_id));
  for (const one of unsettled.flatMap(amountGivenUp)) add(one);
  for (const one of decided) add(one);
  return limited.some((one) => sizeOf(sums.get(keyOf(one))!) > parseUnits(writeOffAbove[one.currency]!));
}

/** The amount that was given up with a finding. The finding's effect is negative where you are short. */
function amountGivenUp({ mismatch_id: id, invoice_number, order_id, currency, effect }: GivenUp): TakenOff[] {
  if (currency === null || effect === null) return [];
  return [{ number: limitSubject({ id, invoice_number, order_id }), currency, amount: -parseUnits(effect) }];
}

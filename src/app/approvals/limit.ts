import { readBeyondRate } from '../../checks/facts/beyond-rate.ts';
import type { Config } from '../../config/index.ts';
import { type GivenUp, readGivenUp } from '../../ledger/queries/findings/effects.ts';
import type { Mismatch } from '../../ledger/queries/findings/mismatches.ts';
import { readMatches } from '../../ledger/queries/receipts/matches.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { parseUnits, type Units } from '../../money/units.ts';

/** What a decision would take off an invoice without a receipt, or give up of what was found. */
export interface TakenOff {
  /** The invoice; of a finding about none, what it is about. */
  readonly number: number | string;
  readonly currency: string;
  readonly amount: Units;
}

/** What the amount of a finding counts for: its invoice, else its order, else itself. */
export function placeOf({ invoice_number, order_id, id }: Pick<Mismatch, 'invoice_number' | 'order_id' | 'id'>) {
  return invoice_number ?? order_id ?? id;
}

/**
 * Whether a decision needs a second person: with it, more than the limit would be given up of an invoice in a currency and direction.
 * Counted is all that people took off it or gave up of it, under whatever name, so that slices do not pass the limit, nor another kind, nor
 * a rate of somebody's choosing.
 */
export async function isAboveLimit(
  db: LedgerReader,
  { approvals, rateTolerance }: Pick<Config, 'approvals' | 'rateTolerance'>,
  taken: readonly TakenOff[],
): Promise<boolean> {
  const { writeOffAbove } = approvals;
  const limited = taken.filter(({ currency, amount }) => amount !== 0n && writeOffAbove[currency] !== undefined);
  if (limited.length === 0) return false;
  const sums = new Map<string, Units>();
  const keyOf = ({ number, currency, amount }: TakenOff) => `${number} ${currency} ${amount > 0n ? 'to us' : 'by us'}`;
  const add = (one: TakenOff) => sums.set(keyOf(one), (sums.get(keyOf(one)) ?? 0n) + one.amount);
  const matches = await readMatches(db);
  for (const { currency, invoices } of matches) {
    for (const { number, named } of invoices) add({ number, currency, amount: named });
  }
  for (const { match, shares } of await readBeyondRate(db, matches, rateTolerance)) {
    for (const { number, amount } of shares) add({ number, currency: match.currency, amount });
  }
  const settled = new Set(matches.map(({ claim }) => claim));
  const given = (await readGivenUp(db)).filter((one) => one.ended_by === null && !settled.has(one.mismatch_id));
  for (const one of given.flatMap(amountGiven)) add(one);
  for (const one of taken) add(one);
  return limited.some((one) => {
    const sum = sums.get(keyOf(one))!;
    return (sum < 0n ? -sum : sum) > parseUnits(writeOffAbove[one.currency]!);
  });
}

/** What was given up of a finding that has an effect. */
function amountGiven({ mismatch_id: id, invoice_number, order_id, currency, effect }: GivenUp): TakenOff[] {
  if (currency === null || effect === null) return [];
  return [{ number: placeOf({ id, invoice_number, order_id }), currency, amount: -parseUnits(effect) }];
}

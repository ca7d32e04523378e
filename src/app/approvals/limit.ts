import { readBeyondRate } from '../../checks/facts/beyond-rate.ts';
import type { Config } from '../../config/index.ts';
import type { LedgerReader } from '../../ledger/queries/index.ts';
import { readMatches } from '../../ledger/queries/receipts/matches.ts';
import { parseUnits, type Units } from '../../money/index.ts';

/** What a decision would take off an invoice without a receipt. */
export interface TakenOff {
  readonly number: number;
  readonly currency: string;
  readonly amount: Units;
}

/**
 * Whether a decision needs a second person: with it, more than the limit would be taken off an invoice in a currency. Counted is all that
 * people took off it, under whatever name, so that slices do not pass the limit, nor another kind, nor a rate of somebody's choosing.
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
  const add = (number: number, currency: string, amount: Units) =>
    sums.set(`${number} ${currency}`, (sums.get(`${number} ${currency}`) ?? 0n) + amount);
  const matches = await readMatches(db);
  for (const { currency, invoices } of matches) {
    for (const { number, named } of invoices) add(number, currency, named);
  }
  for (const { match, shares } of await readBeyondRate(db, matches, rateTolerance)) {
    for (const { number, amount } of shares) add(number, match.currency, amount);
  }
  for (const { number, currency, amount } of taken) add(number, currency, amount);
  return limited.some(({ number, currency }) => {
    const sum = sums.get(`${number} ${currency}`)!;
    return (sum < 0n ? -sum : sum) > parseUnits(writeOffAbove[currency]!);
  });
}

import { accountKey } from './identity.ts';

/** A statement of a file: an account's days in one currency. */
export interface CoveredDays {
  readonly account: string | null;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
}

/** What of a held line says whether a file covers it. */
export interface CoverableLine {
  readonly id: number;
  readonly account: string | null;
  readonly currency: string;
  readonly date: string;
}

/**
 * The held lines of the days and accounts that a file covers, and that are none of its own: lines of an earlier export that the bank
 * has corrected, or of another account without a name.
 *
 * @param own the ids of the lines that the file holds
 */
export function heldButNotIn<L extends CoverableLine>(
  held: readonly L[],
  days: readonly CoveredDays[],
  own: ReadonlySet<number>,
): L[] {
  const covers = ({ account, currency, date }: L) =>
    days.some(
      (one) =>
        one.currency === currency &&
        accountKey(one.account) === accountKey(account) &&
        one.from <= date &&
        date <= one.to,
    );
  return held.filter((line) => !own.has(line.id) && covers(line));
}

import { dayIn } from '../src/base/day.ts';
import { readClosesInForce } from '../src/ledger/queries/closes/closes.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';

/** A closed month. `isFrozen`: the report shows it as it was closed, not as the data has it now. */
export type MonthClosedNote = { id: 'month-closed'; month: string; by: string; on: string; isFrozen: boolean };

/**
 * What a reader must know of the closed ones among some months.
 *
 * @param isFrozen whether the report shows them as they were closed, or as the data has them now
 * @param zone whose days they name
 */
export async function closedMonthNotes(
  db: LedgerReader,
  months: readonly string[],
  isFrozen: boolean,
  zone: string,
): Promise<MonthClosedNote[]> {
  const closes = (await readClosesInForce(db)).filter(({ period }) => months.includes(period));
  return closes.map(({ period, actor, at }) => {
    return { id: 'month-closed', month: period, by: actor, on: dayIn(at, zone), isFrozen };
  });
}

import { dayIn } from '../src/base/day.ts';
import { readClosesInForce } from '../src/ledger/queries/closes/closes.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';

/** `isFrozen`: the report shows the closed month as it was closed, not as the data has it now. */
export type MonthClosedNote = { id: 'month-closed'; month: string; by: string; on: string; isFrozen: boolean };

/** A note for each of the months that is closed. `zone`: the time zone of their days. */
export async function closedMonthNotes(
  db: LedgerReader,
  months: readonly string[],
  { isFrozen, zone }: Pick<MonthClosedNote, 'isFrozen'> & { readonly zone: string },
): Promise<MonthClosedNote[]> {
  const closes = (await readClosesInForce(db)).filter(({ period }) => months.includes(period));
  return closes.map(({ period, actor, at }) => {
    return { id: 'month-closed', month: period, by: actor, on: dayIn(at, zone), isFrozen };
  });
}

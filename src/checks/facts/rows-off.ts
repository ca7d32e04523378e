import { type RowBesideRecord, readRowsOff } from '../../ledger/queries/rows/off-record.ts';
import type { CheckContext } from '../check.ts';

/** The rows of the context's months in the currencies in which their order's record states another amount, or the row none. */
export function rowsOff({
  db,
  periods,
  facts,
}: Pick<CheckContext, 'db' | 'periods' | 'facts'>): Promise<RowBesideRecord[]> {
  return facts.once('rows-off', () => readRowsOff(db, periods));
}

/** Whether any record of a month's rows names a currency that its row does not. */
export async function hasRecordAlone(context: Parameters<typeof rowsOff>[0], month: string): Promise<boolean> {
  return (await rowsOff(context)).some((row) => row.period === month && row.row_cod === null);
}

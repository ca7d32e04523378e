import type { RowState } from '../../ledger/queries/rows/money.ts';
import { type RowBesideRecord, readRowsOff } from '../../ledger/queries/rows/off-record.ts';
import type { CheckContext } from '../check.ts';
import { billedOrders } from './billed-orders.ts';
import { rowPlaces } from './row-place.ts';
import { ourSource } from './sources.ts';

/** An invoice's row, and what is known of its order's state. */
export interface StatedRow {
  readonly number: number;
  readonly period: string;
  readonly order_id: string;
  readonly reference: string;
  readonly state: string;
  /** Its place among the rows of its order, and whether it is the one that takes the order's money: see `rowPlaces`. */
  readonly place: number;
  readonly isCounted: boolean;
  readonly hasRecord: boolean;
  readonly recordState: string | null;
  /** Whether the order was ever delivered: by its record, or by any invoice's row where the own book alone is ours. */
  readonly wasDelivered: boolean;
}

/** Gives a function that tells what is known of a row's order. */
export async function statedRows(context: CheckContext): Promise<(row: RowState) => StatedRow> {
  const placeOf = await rowPlaces(context);
  const billed = ourSource(context.sources) === 'own-book' ? await billedOrders(context) : null;
  return (row) => ({
    number: row.number,
    period: row.period,
    order_id: row.order_id,
    reference: row.reference,
    state: row.state,
    ...placeOf(row),
    hasRecord: row.record_order_id !== null,
    recordState: row.record_state,
    wasDelivered: billed ? billed.get(row.order_id)!.wasDelivered : row.delivered_at !== null,
  });
}

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

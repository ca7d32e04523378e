import type { RowState } from '../../ledger/queries/rows/money.ts';
import { type RowBesideRecord, readRowsOff } from '../../ledger/queries/rows/row-differences.ts';
import type { CheckContext } from '../check.ts';
import { billedOrders } from './billed-orders.ts';
import { rowPlaces } from './row-place.ts';
import { ourSource } from './sources.ts';

/** An invoice's row, with the state of its order by the row and by the order's record. */
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
  /** Whether the order was ever delivered: by its record, or without an order book by any invoice's row. */
  readonly wasDelivered: boolean;
}

/** Gives a function that adds its order's state to a row. */
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
    wasDelivered: billed ? billed.get(row.order_id)!.wasDelivered : row.delivered_seen_at !== null,
  });
}

/** The rows of these months whose amounts differ from their order's record, one entry per currency that differs. */
export function differingRows({
  db,
  periods,
  facts,
}: Pick<CheckContext, 'db' | 'periods' | 'facts'>): Promise<RowBesideRecord[]> {
  return facts.once('rows-off', () => readRowsOff(db, periods));
}

/** Whether an order's record has a currency that its row on an invoice of the month lacks. */
export async function hasRecordAlone(context: Parameters<typeof differingRows>[0], month: string): Promise<boolean> {
  return (await differingRows(context)).some((row) => row.period === month && row.row_cod === null);
}

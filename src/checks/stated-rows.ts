import { type RawBuilder, sql } from 'kysely';
import { unitsText } from '../ledger/sql.ts';
import { amountOfUnits, type ExactDecimal, type OrderMoneyField } from '../money/index.ts';
import { billedOrders } from './billed-orders.ts';
import type { CheckContext } from './check.ts';
import { isComparable } from './comparable.ts';
import { ourSource } from './knowledge.ts';

/** An invoice row's amount in one field and currency that its order's state should leave no room for. */
export interface StatedRow {
  readonly number: number;
  readonly period: string;
  readonly vanished_at: string | null;
  readonly position: number;
  readonly order_id: string;
  readonly reference: string;
  /** The state that the row states. */
  readonly state: string;
  readonly currency: string;
  readonly amount: ExactDecimal;
  /** Whether the order book holds the order, and what its record says. */
  readonly hasRecord: boolean;
  readonly recordState: string | null;
  /** Whether the order was ever delivered: by its record; without an order book by any invoice's row, where the own book stands for it. */
  readonly wasDelivered: boolean;
}

type Line = Omit<StatedRow, 'amount' | 'hasRecord' | 'recordState' | 'wasDelivered'> &
  Record<'units', string> &
  Record<'record' | 'record_state' | 'delivered_at', string | null>;

/** What picks rows out: a condition on the row `o`, or one on a comparable record `b`. */
interface Where {
  readonly row: RawBuilder<unknown>;
  readonly record: RawBuilder<unknown>;
}

/** The amounts, other than zero, of the rows that a condition picks out: by their own state, or by a record that is new enough to say so. */
export async function statedRows(context: CheckContext, field: OrderMoneyField, where: Where): Promise<StatedRow[]> {
  const { db, periods, knowledge } = context;
  const column = sql.ref(`a.${field}`);
  const months = sql.join([...periods]);
  const columns = sql`i.number, i.period, i.vanished_at, o.position, o.order_id, o.reference_id as reference,
    o.delivery_state as state, a.currency, ${unitsText(column)} as units,
    b.order_id as record, b.delivery_state as record_state, b.delivered_seen_at as delivered_at`;
  // Two ways in, each from its small side: few rows have such a state, and few records. A cross join keeps SQLite to that order.
  const { rows } = await sql<Line>`
    select ${columns}
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    cross join invoice_order_amount a
    left join courier_order b on b.order_id = o.order_id
    where i.period in (${months}) and ${where.row}
      and a.invoice_number = o.invoice_number and a.position = o.position and ${column} <> 0
    union all
    select ${columns}
    from courier_order b cross join invoice_order o
    join invoice i on i.number = o.invoice_number
    join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where ${where.record} and o.order_id = b.order_id and i.period in (${months}) and not ${where.row} and ${column} <> 0
      and ${isComparable(knowledge)}
    order by 1, 4, 8`.execute(db);
  const billed = ourSource(knowledge) === 'own-book' ? await billedOrders(context) : null;
  return rows.map(({ units, record, record_state, delivered_at, ...row }) => ({
    ...row,
    amount: amountOfUnits(units),
    hasRecord: record !== null,
    recordState: record_state,
    wasDelivered: billed ? billed.get(row.order_id)!.wasDelivered : delivered_at !== null,
  }));
}

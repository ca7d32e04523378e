/** The dates and invoices that decide to which months an order belongs. */
import { sql } from 'kysely';
import { isOneOf } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** An order and one invoice that lists it; an order on no live invoice has one line of nulls. */
export interface OrderMonthLine {
  readonly order_id: string;
  readonly number: number | null;
  /** The invoice's month; null where it has vanished. */
  readonly period: string | null;
  readonly issued_at: string | null;
  /** When it was first delivered: its statestamp, else when its record was first seen so. */
  readonly delivered: string | null;
  /** Its first statestamp; of an order without a record, the month of the invoice. */
  readonly stamped: string | null;
}

/** Some orders by their own records, with the live invoices that list them. */
export async function readMonthsOfRecords(db: LedgerReader, orderIds: readonly string[]): Promise<OrderMonthLine[]> {
  const { rows } = await sql<OrderMonthLine>`
    select b.order_id, i.number, i.period, i.issued_at, coalesce(b.first_delivered_at, b.delivered_seen_at) as delivered,
      (select s.stamped_at from statestamp s where s.order_id = b.order_id order by s.position limit 1) as stamped
    from courier_order b
    left join invoice_order o on o.order_id = b.order_id
    left join invoice i on i.number = o.invoice_number and i.vanished_at is null
    where ${isOneOf('b.order_id', orderIds)}
    order by b.order_id`.execute(db);
  return rows;
}

/** Some orders by the invoices that list them, vanished ones among them, by order and number. */
export async function readMonthsOfRows(db: LedgerReader, orderIds: readonly string[]): Promise<OrderMonthLine[]> {
  const { rows } = await sql<OrderMonthLine>`
    select o.order_id, i.number, case when i.vanished_at is null then i.period end as period, i.issued_at,
      null as delivered, i.period as stamped
    from invoice_order o join invoice i on i.number = o.invoice_number
    where ${isOneOf('o.order_id', orderIds)}
    order by o.order_id, i.number`.execute(db);
  return rows;
}

/** The courier's records of orders: their names, days of delivery, COD and fees. */
import { type RawBuilder, sql } from 'kysely';
import { dayIn } from '../../../base/day.ts';
import { groupBy } from '../../../base/group.ts';
import { NOT_COLLECTED_STATES } from '../../../base/states.ts';
import { chunks } from '../../chunks.ts';
import type { InvoiceTable } from '../../schema.ts';
import { COD_AND_FEE, INVOICE_ROWS, isOneOf, ROW_RECORD, unitsText } from '../../sql.ts';
import type { CodLine } from '../imports.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';
import type { PricedBy } from './deliveries.ts';
import type { ReferencedOrder } from './links.ts';

export interface OrderRecordName extends ReferencedOrder {
  readonly state: string;
}

/** Every order of the order book, vanished ones too, by id. */
export function readOrderRecordNames(db: LedgerReader) {
  return rowsOf<OrderRecordName>(db)`
    select order_id, reference_id as reference, delivery_state as state
    from courier_order order by order_id`;
}

/** The days on which orders that were seen delivered were first delivered, in a time zone, by order id. */
export async function readDeliveryDays(db: LedgerReader, orderIds: readonly string[], zone: string) {
  const rows = await rowsOf<{ order_id: string; at: string }>(db)`
    select order_id, coalesce(first_delivered_at, delivered_seen_at) as at from courier_order
    where ${isOneOf('order_id', orderIds)}`;
  return new Map(rows.map(({ order_id, at }) => [order_id, dayIn(at, zone)]));
}

/** How many invoices one query of {@link readDeliveryTimes} reads. */
const INVOICES_AT_ONCE = 20;

/** When the orders on these invoices were delivered, as far as their records say. Yields a list for each invoice. */
export async function* readDeliveryTimes(db: LedgerReader, numbers: readonly number[]) {
  for (const page of chunks(numbers, INVOICES_AT_ONCE)) {
    const rows = await rowsOf<Record<'order_id' | 'first_delivered_at', string> & { number: number }>(db)`
      select o.invoice_number as number, o.order_id, b.first_delivered_at
      from invoice_order o join ${ROW_RECORD}
      where ${isOneOf('o.invoice_number', page)} and b.first_delivered_at is not null
      order by o.invoice_number, b.first_delivered_at, o.order_id`;
    const rowsOfInvoice = groupBy(rows, ({ number }) => number);
    for (const number of page) yield rowsOfInvoice.get(number) ?? [];
  }
}

/** The COD when first seen delivered of every record whose amounts have changed since. */
export function readFirstDeliveredCods(db: LedgerReader) {
  return rowsOf<CodLine>(db)`
    select order_id as key, currency, ${unitsText('cod')} as cod from courier_order_delivered_amount`;
}

/**
 * The COD of these orders' records as they are now, and whether they were ever seen delivered. A record without any has
 * one line without a currency.
 */
export function readRecordedCods(db: LedgerReader, orderIds: readonly string[]) {
  return rowsOf<{ key: string } & Record<'delivered_seen_at' | 'currency' | 'cod', string | null>>(db)`
    select b.order_id as key, b.delivered_seen_at, a.currency, ${unitsText('a.cod')} as cod
    from courier_order b left join courier_order_amount a on a.order_id = b.order_id
    where ${isOneOf('b.order_id', orderIds)}
    order by b.order_id, a.currency`;
}

/** A row's fee by its order's record, in ledger units as text, and everything that an agreed price depends on. */
export interface FeeLine
  extends ReferencedOrder,
    PricedBy,
    Pick<InvoiceTable, 'number' | 'period' | 'issued_at'>,
    Readonly<Record<'delivered_at' | 'currency' | 'cod' | 'fee', string | null>> {
  readonly position: number;
  readonly workflow: string;
  readonly fee_stated: number;
}

/**
 * The rows of these months' live invoices whose orders have a record, with the record's fee when first seen delivered,
 * else as it is now. Orders that were cancelled and never delivered are left out.
 */
export function readRecordedFees(db: LedgerReader, periods: readonly string[]) {
  // `joinedAmounts`: the join with a table of amounts, which is called `a`.
  const rowsWith = (joinedAmounts: RawBuilder<unknown>, condition: RawBuilder<unknown>) => sql`
    select o.order_id, b.reference_id as reference, i.number, o.position, i.period, i.issued_at, b.workflow, b.fee_stated,
      b.merchant_location, b.number_of_packages as packages, b.area_id, b.area_name, b.district,
      b.first_delivered_at as delivered_at, ${COD_AND_FEE}
    from ${INVOICE_ROWS}
    join ${ROW_RECORD}
    ${joinedAmounts} on a.order_id = o.order_id
    where ${isOneOf('i.period', periods)} and i.vanished_at is null
      and not (b.delivered_seen_at is null and b.delivery_state = 'CANCELLED') and ${condition}`;
  // The amounts at delivery are kept only of records that have changed since.
  const isUnchanged = sql`not exists (select 1 from courier_order_delivered_amount d where d.order_id = o.order_id)`;
  const always = sql`1 = 1`;
  // A union of two queries: one join with both tables would read all orders of all months.
  return rowsOf<FeeLine>(db)`
    ${rowsWith(sql`left join courier_order_amount a`, isUnchanged)}
    union all
    ${rowsWith(sql`join courier_order_delivered_amount a`, always)}
    order by number, position, currency`;
}

export async function readInvoicedReferences(db: LedgerReader): Promise<string[]> {
  const rows = await db.selectFrom('invoice_order').select('reference_id').distinct().execute();
  return rows.map(({ reference_id }) => reference_id);
}

/** Orders of the order book or of live invoices, by id; without returns, cancelled, returning and vanished ones. */
export function readSentOrders(db: LedgerReader) {
  const isSent = (row: string) => sql`coalesce(${sql.ref(`${row}.workflow`)}, '') <> 'RETURN'
      and not (${isOneOf(`${row}.delivery_state`, NOT_COLLECTED_STATES)})`;
  return rowsOf<ReferencedOrder>(db)`
    select b.order_id, b.reference_id as reference from courier_order b where b.vanished_at is null and ${isSent('b')}
    union
    select o.order_id, o.reference_id as reference from invoice_order o
    join invoice i on i.number = o.invoice_number and i.vanished_at is null
    where ${isSent('o')} and not exists (select 1 from courier_order b where b.order_id = o.order_id)
    order by 1`;
}

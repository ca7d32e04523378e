/** One order: its record, its months, and how to find it by a reference. Amounts are plain decimal text. */
import { type RawBuilder, sql } from 'kysely';
import { ORDER_MONEY_FIELDS } from '../../../money/fields.ts';
import { isOneOf, unitsText } from '../../sql.ts';
import { amountsOf } from '../amounts.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** The courier's own record of an order; null if the order book never had one. */
export async function readOrderRecord(db: LedgerReader, orderId: string) {
  const record = await db.selectFrom('courier_order').selectAll().where('order_id', '=', orderId).executeTakeFirst();
  if (!record) return null;
  const readAmounts = async (table: 'courier_order_amount' | 'courier_order_delivered_amount') =>
    amountsOf(
      await db
        .selectFrom(table)
        .select('currency')
        .select(ORDER_MONEY_FIELDS.map((field) => unitsText(field).as(field)))
        .where('order_id', '=', orderId)
        .orderBy('currency')
        .execute(),
    );
  const delivered = await readAmounts('courier_order_delivered_amount');
  const statestamps = await db
    .selectFrom('statestamp')
    .select(['delivery_state', 'payment_state', 'stamped_at'])
    .where('order_id', '=', orderId)
    .orderBy('position')
    .execute();
  return {
    ...record,
    amounts: await readAmounts('courier_order_amount'),
    /** As first seen delivered; null if they have not changed since. */
    delivered_amounts: Object.keys(delivered).length > 0 ? delivered : null,
    statestamps,
  };
}

/** Whether an order is in the order book or on an invoice. */
export async function knowsOrder(db: LedgerReader, orderId: string): Promise<boolean> {
  const rows = await rowsOf(db)`
    select 1 as known where exists (select 1 from courier_order where order_id = ${orderId})
      or exists (select 1 from invoice_order where order_id = ${orderId})`;
  return rows.length > 0;
}

/**
 * The ids of the first ten orders with these references: exact matches before other case of A to Z, earlier references
 * first.
 */
export async function readOrdersByReference(db: LedgerReader, references: readonly string[]): Promise<string[]> {
  const fits = sql`lower(reference_id) in (${sql.join(references.map(lowerCase))})`;
  // With a `union`, SQLite would read both tables by order id. An order has a line for each way in which its record and
  // its invoices write its reference: so there may be more lines than the ten orders that are wanted.
  const rows = await rowsOf<{ order_id: string; reference: string }>(db)`
    select order_id, reference from (
      select order_id, reference_id as reference from courier_order where ${fits}
      union all select order_id, reference_id from invoice_order where ${fits}
    ) as found
    group by order_id, reference order by reference not in (${sql.join(references)}), order_id limit 30`;
  // Each reference exactly, and then each in any case: the first of these that fits an order decides.
  const tests = [
    ...references.map((wanted) => (reference: string) => reference === wanted),
    ...references.map((wanted) => (reference: string) => lowerCase(reference) === lowerCase(wanted)),
  ];
  const found = tests
    .map((test) => rows.filter(({ reference }) => test(reference)))
    .find((orders) => orders.length > 0);
  return [...new Set(found?.map(({ order_id }) => order_id))].slice(0, 10);
}

/** As the database's `lower` writes it: letters other than A to Z stay. */
const lowerCase = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** If there are more orders than this, only names with the same first letters are read, and at most so many. */
const MOST_NAMES = 20_000;
/** How many first letters must be the same. */
const FIRST_LETTERS = 3;

/** The ids and references that a mistyped word may mean: all, or of many orders, those that begin like it. */
export async function readOrderNames(db: LedgerReader, typed: string): Promise<string[]> {
  const beyondMany = await rowsOf(db)`select 1 as one from courier_order limit 1 offset ${sql.lit(MOST_NAMES)}`;
  const areMany = beyondMany.length > 0;
  const start = typed.slice(0, FIRST_LETTERS);
  // `\uffff` sorts after every letter, and so ends the range of the texts that begin with `first`.
  const rangeOf = (name: RawBuilder<unknown>, first: string) =>
    areMany ? sql`where ${name} >= ${first} and ${name} < ${`${first}\uffff`}` : sql``;
  const ids = rangeOf(sql`order_id`, start);
  const references = rangeOf(sql`lower(reference_id)`, lowerCase(start));
  const rows = await rowsOf<{ name: string }>(db)`
    select name from (
      select order_id as name from courier_order ${ids}
      union select reference_id from courier_order ${references}
      union select order_id from invoice_order ${ids}
      union select reference_id from invoice_order ${references}
    ) as names ${areMany ? sql`limit ${sql.lit(MOST_NAMES)}` : sql``}`;
  return rows.map(({ name }) => name).filter((name) => name !== '');
}

/** An order and one invoice that lists it; if none does, one line with nulls for the invoice. */
export interface OrderMonthLine {
  readonly order_id: string;
  readonly number: number | null;
  /** The invoice's month; null if the invoice has vanished. */
  readonly period: string | null;
  readonly issued_at: string | null;
  /** When it was first delivered: by its statestamp, else when its record was first seen delivered. */
  readonly delivered: string | null;
  /** The time of its first statestamp; for an order without a record the month of the invoice, as `2026-10`. */
  readonly stamped: string | null;
}

/** The orders among these that have a record, with the invoices that list them; a vanished one is a line of nulls. */
export function readMonthsOfRecords(db: LedgerReader, orderIds: readonly string[]) {
  return rowsOf<OrderMonthLine>(db)`
    select b.order_id, i.number, i.period, i.issued_at, coalesce(b.first_delivered_at, b.delivered_seen_at) as delivered,
      (select s.stamped_at from statestamp s where s.order_id = b.order_id order by s.position limit 1) as stamped
    from courier_order b
    left join invoice_order o on o.order_id = b.order_id
    left join invoice i on i.number = o.invoice_number and i.vanished_at is null
    where ${isOneOf('b.order_id', orderIds)}
    order by b.order_id`;
}

/** These orders with the invoices that list them, vanished ones too, by order and number. */
export function readMonthsOfRows(db: LedgerReader, orderIds: readonly string[]) {
  return rowsOf<OrderMonthLine>(db)`
    select o.order_id, i.number, case when i.vanished_at is null then i.period end as period, i.issued_at,
      null as delivered, i.period as stamped
    from invoice_order o join invoice i on i.number = o.invoice_number
    where ${isOneOf('o.order_id', orderIds)}
    order by o.order_id, i.number`;
}

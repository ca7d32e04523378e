/**
 * What the ledger holds of the courier's documents, for a sync that fetches only what is new: runs, invoices, orders,
 * documents that cannot be read. Checks, imports and the cost of a night read some of it too.
 */
import { sql } from 'kysely';
import { DELIVERED_STATES } from '../../../base/states.ts';
import { inChunks, pages } from '../../chunks.ts';
import { wholeLedger } from '../../courier.ts';
import type { InvoiceTable, UnreadableTable } from '../../schema.ts';
import { INVOICE_ROWS, listOf, ROW_RECORD } from '../../sql.ts';
import { isComparable } from '../rows/comparable.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** The runs of all couriers that have not ended, each with its courier's key. */
export async function readRunning(db: LedgerReader) {
  const runs = wholeLedger(db).selectFrom('run').select(['id', 'courier']).where('status', '=', 'running');
  return runs.orderBy('id').execute();
}

/** The number of the next run: those of all couriers are counted together. */
export async function nextRunNumber(db: LedgerReader): Promise<number> {
  const runs = wholeLedger(db).selectFrom('run').select('id');
  const last = await runs.orderBy('id', 'desc').limit(1).executeTakeFirst();
  return (last?.id ?? 0) + 1;
}

/** The columns of an invoice in the ledger that a sync compares with a list's row. */
const HELD_COLUMNS = ['number', 'period', 'status', 'listed_sha256', 'read_at', 'superseded_at'] as const;

export type HeldInvoice = Pick<InvoiceTable, (typeof HELD_COLUMNS)[number]>;

export async function readHeldInvoices(db: LedgerReader, numbers: readonly number[]) {
  const invoices: HeldInvoice[] = await inChunks(numbers, (page) =>
    db.selectFrom('invoice').select(HELD_COLUMNS).where('number', 'in', page).execute(),
  );
  return new Map(invoices.map((invoice) => [invoice.number, invoice]));
}

/** The numbers of the invoices that were on a month's list when it was last read. */
export async function readListedNumbers(db: LedgerReader, period: string): Promise<number[]> {
  const listed = db.selectFrom('invoice_listed').select('invoice_number').where('period', '=', period);
  const rows = await listed.where('vanished_at', 'is', null).orderBy('invoice_number').execute();
  return rows.map(({ invoice_number }) => invoice_number);
}

const ORDERS_PER_PAGE = 5_000;

/** A query for the next orders, after an id, of those that were in the order book when it was last read. */
export function nextInBook(db: LedgerReader, after: string) {
  const inBook = db.selectFrom('courier_order').where('vanished_at', 'is', null);
  return inBook.where('order_id', '>', after).orderBy('order_id').limit(ORDERS_PER_PAGE);
}

/**
 * The orders that were in the order book when it was last read, by id, a page at a time, and whether the record of each
 * is the newest that is known.
 */
export function readBookRecords(db: LedgerReader) {
  const readPage = async (after: string) => {
    const orders = nextInBook(db, after).select(['order_id', 'record_sha256', 'record_part', 'superseded_at']);
    const rows = await orders.execute();
    return rows.map(({ superseded_at, ...row }) => ({ ...row, is_current: superseded_at === null }));
  };
  return pages('', readPage, ({ order_id }) => order_id);
}

/** Counts the invoices by the courier's Paid flag, vanished ones left out. */
export async function countByPayment(db: LedgerReader): Promise<{ readonly paid: number; readonly unpaid: number }> {
  const rows = await rowsOf<Record<'invoices' | 'paid', number>>(db)`
    select count(*) as invoices, count(case when status = 'PAID' then 1 end) as paid
    from invoice where vanished_at is null`;
  const { invoices, paid } = rows[0]!;
  return { paid: Number(paid), unpaid: Number(invoices) - Number(paid) };
}

export interface UnreadableDocument extends UnreadableTable {
  /** For an invoice: the month in which it counts; null if no list has it. */
  readonly counts_in: string | null;
}

/** The invoices, rows of lists, orders and pages that cannot be read, by kind and subject. */
export function readUnreadable(db: LedgerReader) {
  return rowsOf<UnreadableDocument>(db)`
    select u.kind, u.subject, u.period, u.evidence_id, u.at, u.sha256, u.why, l.period as counts_in
    from unreadable u
    left join invoice_listed l on u.kind = 'invoice' and cast(l.invoice_number as text) = u.subject and l.counts_here = 1
    where u.kind in ('invoice', 'listed', 'order', 'page')
    order by u.kind, u.subject`;
}

/** The month of the latest live invoice that lists each order whose record cannot be read, by order. */
export async function readMonthsOfUnreadable(db: LedgerReader): Promise<Map<string, string>> {
  const rows = await rowsOf<{ order_id: string; period: string }>(db)`
    select u.subject as order_id, max(i.period) as period
    from unreadable u
    join invoice_order o on o.order_id = u.subject
    join invoice i on i.number = o.invoice_number and i.vanished_at is null
    where u.kind = 'order'
    group by u.subject`;
  return new Map(rows.map(({ order_id, period }) => [order_id, period]));
}

/**
 * The orders to fetch again. First come those on an invoice that is newer than their record, and those without a record
 * on an invoice that is newer than the last whole walk. Then come those whose newest record cannot be read, and those
 * whose parcel or money is still on its way.
 *
 * @param lastWholeWalk see {@link isComparable}
 * @param hasMessages whether webhooks tell which orders have changed: those whose parcel or money is on its way are
 * then left out
 */
export async function readChangingOrders(db: LedgerReader, lastWholeWalk: number, hasMessages: boolean) {
  const orOnTheWay = hasMessages
    ? sql``
    : sql`or not (b.delivery_state = 'CANCELLED' or (
        b.delivery_state in ${listOf(DELIVERED_STATES)} and b.payment_state = 'PAID_TO_MERCHANT' and b.merchant_invoice is not null
      ))`;
  const rows = await rowsOf<{ order_id: string; rank: number }>(db)`
    select o.order_id, 1 as rank from ${INVOICE_ROWS}
    left join ${ROW_RECORD}
    where i.vanished_at is null and (b.order_id is null or b.vanished_at is null)
      and not ${isComparable(lastWholeWalk)} and (b.order_id is not null or i.detail_evidence_id > ${lastWholeWalk})
    union
    select b.order_id, 2 from courier_order b
    where b.vanished_at is null and (b.superseded_at is not null ${orOnTheWay})
    order by 2, 1`;
  return [...new Set(rows.map(({ order_id }) => order_id))];
}

/** The ids of the orders in the order book, the newest first, by their first statestamp. */
export async function readNewestOrders(db: LedgerReader): Promise<string[]> {
  const rows = await rowsOf<{ order_id: string }>(db)`
    select b.order_id from courier_order b
    left join statestamp s on s.order_id = b.order_id and s.position = 0
    where b.vanished_at is null order by coalesce(s.stamped_at, '') desc, b.order_id`;
  return rows.map(({ order_id }) => order_id);
}

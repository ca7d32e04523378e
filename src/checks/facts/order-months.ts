import { monthIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { chunks } from '../../ledger/chunks.ts';
import { type OrderMonthLine, readMonthsOfRecords, readMonthsOfRows } from '../../ledger/queries/orders/order.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { CheckContext } from '../check.ts';
import { issueTime } from './billed-orders.ts';
import { ourSource } from './sources.ts';

/** The months of what happened to an order: its delivery and its invoices. */
export type OrderMonths = ReturnType<typeof monthsOf>;

type Books = Pick<CheckContext, 'db' | 'sources' | 'settings'>;

type Orders = readonly { readonly order_id: string }[];

/** The months of orders by their records: every order that has a record is among them. */
export function orderMonths(books: Books, orders: Orders): Promise<Map<string, OrderMonths>> {
  return monthsByOrder(books, orders, readMonthsOfRecords, books.sources.book.firstAt ?? '');
}

/**
 * The months of orders that a check compares with the own book: by the courier's order book, or without one by the
 * invoices alone.
 */
export function comparedMonths(books: Books, orders: Orders): Promise<Map<string, OrderMonths>> {
  if (ourSource(books.sources) === 'order-book') return orderMonths(books, orders);
  return monthsByOrder(books, orders, readMonthsBilled, '');
}

/** The months of orders by their records, and of orders without a record by the invoices alone. */
export async function recordedOrBilledMonths(books: Books, orders: Orders): Promise<Map<string, OrderMonths>> {
  const recorded = await orderMonths(books, orders);
  const unrecorded = orders.filter(({ order_id }) => !recorded.has(order_id));
  return new Map([...recorded, ...(await monthsByOrder(books, unrecorded, readMonthsBilled, ''))]);
}

/** @param bookAt when the order book was first read: the date of an order that has no other */
async function monthsByOrder(
  { db, settings }: Books,
  orders: Orders,
  read: (db: LedgerReader, orderIds: readonly string[]) => Promise<OrderMonthLine[]>,
  bookAt: string,
): Promise<Map<string, OrderMonths>> {
  const months = new Map<string, OrderMonths>();
  for (const chunk of chunks([...new Set(orders.map(({ order_id }) => order_id))])) {
    const rows = await read(db, chunk);
    const byOrder = groupBy(rows, ({ order_id }) => order_id);
    for (const [id, lines] of byOrder) months.set(id, monthsOf(lines, bookAt, settings.timeZone));
  }
  return months;
}

/** Newest invoice first, so that an order with only vanished invoices is in the month of the last of them. */
async function readMonthsBilled(db: LedgerReader, orderIds: readonly string[]): Promise<OrderMonthLine[]> {
  const lines = await readMonthsOfRows(db, orderIds);
  return lines.sort((a, b) => issueTime(b) - issueTime(a) || b.number! - a.number!);
}

function monthsOf(lines: readonly OrderMonthLine[], bookAt: string, zone: string) {
  // The lines of an order differ in their invoice alone. Without a record `stamped` is the invoice's month, and that of
  // the first line counts.
  const { order_id, delivered, stamped } = lines[0]!;
  const firstKnown = delivered ?? stamped ?? bookAt;
  // The line of a vanished invoice, or of an order on none, has no month.
  const live = lines.filter(({ period }) => period !== null);
  const byIssue = [...live].sort((a, b) => issueTime(a) - issueTime(b) || a.number! - b.number!);
  const invoiced = [...new Set(live.map(({ period }) => period!))].sort();
  const period = byIssue.at(-1)?.period ?? monthIn(firstKnown, zone);
  return {
    /** The months of the live invoices that list it, in order. */
    invoiced,
    /** The month of the first live invoice that lists it, by date of issue; null if none does. */
    firstInvoiced: byIssue[0]?.period ?? null,
    /** The month of its first delivery in the books' time zone, or of when that was first seen; null if it was not. */
    delivered: delivered === null ? null : monthIn(delivered, zone),
    /** The first month that may have its invoice: that of its delivery or first stamp, as the courier writes the time. */
    billable: firstKnown.slice(0, 7),
    /**
     * The order and the months of a finding about it: the one that it belongs to (`period`), which is that of the latest
     * invoice, or else of its delivery, its first statestamp, or the first read of the order book; and all that show it.
     */
    ofFinding: { order_id, period, periods: invoiced.length > 0 ? invoiced : [period] },
  };
}

import { monthIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { parseInstant } from '../../base/instant.ts';
import { chunks } from '../../ledger/chunks.ts';
import { type OrderMonthLine, readMonthsOfRecords, readMonthsOfRows } from '../../ledger/queries/orders/order.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { CheckContext } from '../check.ts';
import { ourSource } from './sources.ts';

/** The months of what happened to an order: its delivery and its invoices. */
export interface OrderMonths {
  /** The months of the live invoices that list it, in order. */
  readonly invoiced: readonly string[];
  /** The month of the first live invoice that lists it, by date of issue; null if none does. */
  readonly first: string | null;
  /** The month of its first delivery in the books' time zone, or of when that was first seen; null if it was not. */
  readonly delivered: string | null;
  /** The first month that may have its invoice, by the courier's own clock. */
  readonly billable: string;
  /**
   * The month of a finding about it (`period`), and those in which the finding is shown: by the latest invoice, or else
   * its delivery, or else its first statestamp, or else the first read of the order book.
   */
  readonly shown: { readonly period: string; readonly periods: readonly string[] };
}

type Books = Pick<CheckContext, 'db' | 'sources' | 'settings'>;

export function orderMonths(books: Books, orderIds: readonly string[]): Promise<Map<string, OrderMonths>> {
  return monthsByOrder(books, orderIds, readMonthsOfRecords, books.sources.book.firstAt ?? '');
}

/** The months of orders compared with the own book: by the order book, or without one by the invoices alone. */
export function comparedMonths(books: Books, orderIds: readonly string[]): Promise<Map<string, OrderMonths>> {
  if (ourSource(books.sources) === 'order-book') return orderMonths(books, orderIds);
  return monthsByOrder(books, orderIds, readMonthsBilled, '');
}

/** The months of orders by their records, and of orders without a record by the invoices alone. */
export async function recordedOrBilledMonths(
  books: Books,
  orderIds: readonly string[],
): Promise<Map<string, OrderMonths>> {
  const recorded = await orderMonths(books, orderIds);
  const unrecorded = orderIds.filter((id) => !recorded.has(id));
  return new Map([...recorded, ...(await monthsByOrder(books, unrecorded, readMonthsBilled, ''))]);
}

/** @param bookAt when the order book was first read: the date of an order that has no other */
async function monthsByOrder(
  { db, settings }: Books,
  orderIds: readonly string[],
  read: (db: LedgerReader, orderIds: readonly string[]) => Promise<OrderMonthLine[]>,
  bookAt: string,
): Promise<Map<string, OrderMonths>> {
  const months = new Map<string, OrderMonths>();
  for (const chunk of chunks([...new Set(orderIds)])) {
    const rows = await read(db, chunk);
    const byOrder = groupBy(rows, ({ order_id }) => order_id);
    for (const [id, lines] of byOrder) months.set(id, monthsOf(lines, bookAt, settings.timeZone));
  }
  return months;
}

/** Newest invoice first, so that an order with only vanished invoices is in the month of the last of them. */
async function readMonthsBilled(db: LedgerReader, orderIds: readonly string[]): Promise<OrderMonthLine[]> {
  const lines = await readMonthsOfRows(db, orderIds);
  return lines.sort((a, b) => instantOf(b) - instantOf(a) || b.number! - a.number!);
}

function monthsOf(lines: readonly OrderMonthLine[], bookAt: string, zone: string): OrderMonths {
  const { delivered, stamped } = lines[0]!;
  const since = delivered ?? stamped ?? bookAt;
  const live = lines.filter(({ period }) => period !== null);
  const byIssue = [...live].sort((a, b) => instantOf(a) - instantOf(b) || a.number! - b.number!);
  const invoiced = [...new Set(live.map(({ period }) => period!))].sort();
  const period = byIssue.at(-1)?.period ?? monthIn(since, zone);
  return {
    invoiced,
    first: byIssue[0]?.period ?? null,
    delivered: delivered === null ? null : monthIn(delivered, zone),
    billable: since.slice(0, 7),
    shown: { period, periods: invoiced.length > 0 ? invoiced : [period] },
  };
}

function instantOf({ issued_at }: OrderMonthLine): number {
  return parseInstant(issued_at ?? '')?.getTime() ?? 0;
}

import { monthIn } from '../../base/day.ts';
import { groupBy } from '../../base/group.ts';
import { parseInstant } from '../../base/instant.ts';
import { chunks } from '../../ledger/chunks.ts';
import { type OrderMonthLine, readMonthsOfRecords, readMonthsOfRows } from '../../ledger/queries/orders/order.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import type { CheckContext } from '../check.ts';
import { ourSource } from './sources.ts';

/** The months that an order of the order book belongs to. */
export interface OrderMonths {
  /** Those of the live invoices that list it, in order. */
  readonly invoiced: readonly string[];
  /** That of its first live invoice, by date of issue; null where none lists it. */
  readonly first: string | null;
  /** That of its first delivery, by the books' clock; without a statestamp, of when it was first seen so; null where it was not. */
  readonly delivered: string | null;
  /** The courier's own month of that, from which on an invoice may bill it. */
  readonly billable: string;
  /**
   * Where a finding about it belongs, and shows: the latest invoice's month, else that of its delivery, else of its first statestamp, else
   * of the first look at the order book.
   */
  readonly shown: { readonly period: string; readonly periods: readonly string[] };
}

type Books = Pick<CheckContext, 'db' | 'sources' | 'settings'>;

export function orderMonths(books: Books, orderIds: readonly string[]): Promise<Map<string, OrderMonths>> {
  return monthsByOrder(books, orderIds, readMonthsOfRecords, books.sources.book.firstAt ?? '');
}

/** Finds the months of some orders of the courier's that the own book is compared with: without an order book, by the invoices alone. */
export function comparedMonths(books: Books, orderIds: readonly string[]): Promise<Map<string, OrderMonths>> {
  if (ourSource(books.sources) === 'order-book') return orderMonths(books, orderIds);
  return monthsByOrder(books, orderIds, readMonthsBilled, '');
}

/** Finds the months of some orders: by their records, and by the invoices alone where they have none. */
export async function recordedOrBilledMonths(
  books: Books,
  orderIds: readonly string[],
): Promise<Map<string, OrderMonths>> {
  const recorded = await orderMonths(books, orderIds);
  const unrecorded = orderIds.filter((id) => !recorded.has(id));
  return new Map([...recorded, ...(await monthsByOrder(books, unrecorded, readMonthsBilled, ''))]);
}

/** @param bookAt when the order book was first read; an order without another date has this one */
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

/** Of an order of vanished invoices alone, the month of the last of them is shown. */
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

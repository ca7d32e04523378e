import { sql } from 'kysely';
import { parseInstant } from '../instant.ts';
import { chunks } from '../ledger/chunks.ts';
import type { LedgerReader } from '../ledger/read/index.ts';
import { isOneOf } from '../ledger/sql.ts';
import type { CheckContext } from './check.ts';
import { type Knowledge, ourSource } from './knowledge.ts';

/** The months that an order of the order book belongs to. */
export interface OrderMonths {
  /** Those of the live invoices that list it, in order. */
  readonly invoiced: readonly string[];
  /** That of its first live invoice, by date of issue; null where none lists it. */
  readonly first: string | null;
  /** That of its first delivery, in the statestamp's own offset; without a statestamp, of when it was first seen so; null where it was not. */
  readonly delivered: string | null;
  /** Where a finding about it belongs, and shows: the latest invoice's month, else that of its delivery, else of its first statestamp, else of the first look at the order book. */
  readonly shown: { readonly period: string; readonly periods: readonly string[] };
}

type Line = Record<'order_id', string> &
  Record<'period' | 'issued_at' | 'delivered' | 'stamped', string | null> & {
    number: number | null;
  };

/** Finds the months of some orders of the order book. */
export function orderMonths(
  db: LedgerReader,
  orderIds: readonly string[],
  knowledge: Knowledge,
): Promise<Map<string, OrderMonths>> {
  return monthsByOrder(db, orderIds, readRecorded, knowledge.book.firstAt ?? '');
}

/** Finds the months of some orders of the courier's that the own book is compared with: without an order book, by the invoices alone. */
export function comparedMonths(
  { db, knowledge }: Pick<CheckContext, 'db' | 'knowledge'>,
  orderIds: readonly string[],
): Promise<Map<string, OrderMonths>> {
  if (ourSource(knowledge) === 'order-book') return orderMonths(db, orderIds, knowledge);
  return monthsByOrder(db, orderIds, readBilled, '');
}

async function monthsByOrder(
  db: LedgerReader,
  orderIds: readonly string[],
  read: (db: LedgerReader, orderIds: readonly string[]) => Promise<Line[]>,
  bookAt: string,
): Promise<Map<string, OrderMonths>> {
  const months = new Map<string, OrderMonths>();
  for (const chunk of chunks([...new Set(orderIds)])) {
    const rows = await read(db, chunk);
    const lines = new Map<string, Line[]>();
    for (const row of rows) lines.set(row.order_id, [...(lines.get(row.order_id) ?? []), row]);
    for (const [id, own] of lines) months.set(id, monthsOf(own, bookAt));
  }
  return months;
}

async function readRecorded(db: LedgerReader, orderIds: readonly string[]): Promise<Line[]> {
  const { rows } = await sql<Line>`
      select b.order_id, i.number, i.period, i.issued_at, coalesce(b.first_delivered_at, b.delivered_seen_at) as delivered,
        (select s.stamped_at from statestamp s where s.order_id = b.order_id order by s.position limit 1) as stamped
      from courier_order b
      left join invoice_order o on o.order_id = b.order_id
      left join invoice i on i.number = o.invoice_number and i.vanished_at is null
      where ${isOneOf('b.order_id', orderIds)}
      order by b.order_id`.execute(db);
  return rows;
}

/** Of an order of vanished invoices alone, the month in which the last of them counted. */
async function readBilled(db: LedgerReader, orderIds: readonly string[]): Promise<Line[]> {
  const { rows } = await sql<Line & { listed: string; vanished_at: string | null }>`
    select o.order_id, i.number, i.period as listed, i.issued_at, i.vanished_at, i.period as stamped
    from invoice_order o join invoice i on i.number = o.invoice_number
    where ${isOneOf('o.order_id', orderIds)}
    order by o.order_id, i.number`.execute(db);
  return rows
    .sort((a, b) => instantOf(b) - instantOf(a) || b.number! - a.number!)
    .map(({ listed, vanished_at, ...row }) => {
      return { ...row, period: vanished_at === null ? listed : null, delivered: null };
    });
}

function monthsOf(lines: readonly Line[], bookAt: string): OrderMonths {
  const { delivered, stamped } = lines[0]!;
  const live = lines.filter(({ period }) => period !== null);
  const byIssue = [...live].sort((a, b) => instantOf(a) - instantOf(b) || a.number! - b.number!);
  const invoiced = [...new Set(live.map(({ period }) => period!))].sort();
  const period = byIssue.at(-1)?.period ?? (delivered ?? stamped ?? bookAt).slice(0, 7);
  return {
    invoiced,
    first: byIssue[0]?.period ?? null,
    delivered: delivered?.slice(0, 7) ?? null,
    shown: { period, periods: invoiced.length > 0 ? invoiced : [period] },
  };
}

function instantOf({ issued_at }: Line): number {
  return parseInstant(issued_at ?? '')?.getTime() ?? 0;
}

import { sql } from 'kysely';
import type { LedgerReader } from '../ledger/read/index.ts';
import { addMonths } from '../period.ts';

/** The last walk over a month's list. */
export interface MonthWalk {
  readonly period: string;
  readonly id: number;
  readonly run_id: number;
  readonly complete: boolean;
  readonly stated_count: number | null;
  readonly seen_count: number;
  readonly unreadable: number;
  readonly why: string | null;
}

/** What of the courier's books the ledger holds at all, and how fresh it is. */
export interface Knowledge {
  /** Every month that was ever walked, in order. */
  readonly months: readonly MonthWalk[];
  /** The months that some walk saw to the end. */
  readonly wholeMonths: ReadonlySet<string>;
  /** How many syncs walked a month's list. */
  readonly syncs: number;
  readonly book: {
    /** Whether any order was ever read. */
    readonly hasOrders: boolean;
    /** How many syncs walked it. */
    readonly walks: number;
    /** The evidence of the last walk that saw it whole, with no record whose order cannot be told; 0 where there was none. */
    readonly whole: number;
    /** When that was; null where there was none. */
    readonly at: string | null;
    /** When it was first and last walked, whole or not. */
    readonly firstAt: string | null;
    readonly walkedAt: string | null;
  };
  /** Of which kinds files of the merchant's own side are in force. */
  readonly imported: ReadonlySet<string>;
  /** Whether any month was ever closed, be it open again. */
  readonly everClosed: boolean;
}

/** Reads what the ledger holds at all. */
export async function readKnowledge(db: LedgerReader): Promise<Knowledge> {
  const months = await sql<Omit<MonthWalk, 'complete'> & { complete: 0 | 1 }>`
    select l.period, l.id, l.run_id, l.complete, l.stated_count, l.seen_count, l.unreadable, l.why
    from listing l where l.kind = 'invoices' and l.id = (
      select max(later.id) from listing later where later.kind = 'invoices' and later.period = l.period
    )
    order by l.period`.execute(db);
  const whole = await sql<{ period: string }>`
    select distinct period from listing where kind = 'invoices' and complete = 1`.execute(db);
  const walks = await sql<{ kind: string; walks: number; first: string | null; last: string | null }>`
    select kind, count(distinct run_id) as walks, min(finished_at) as first, max(finished_at) as last from listing group by kind`.execute(
    db,
  );
  const book = await sql<{ id: number; finished_at: string }>`
    select id, finished_at from listing where kind = 'orders' and complete = 1 and anonymous = 0
    order by id desc limit 1`.execute(db);
  const order = await sql`select 1 as one from courier_order limit 1`.execute(db);
  const imported = await sql<{ kind: string }>`
    select distinct kind from imported where undone_at is null`.execute(db);
  const close = await sql`select 1 as one from period_close limit 1`.execute(db);
  const of = (kind: string) => walks.rows.find((row) => row.kind === kind);
  return {
    months: months.rows.map((row) => ({ ...row, complete: row.complete === 1 })),
    wholeMonths: new Set(whole.rows.map(({ period }) => period)),
    syncs: Number(of('invoices')?.walks ?? 0),
    book: {
      hasOrders: order.rows.length > 0,
      walks: Number(of('orders')?.walks ?? 0),
      whole: book.rows[0]?.id ?? 0,
      at: book.rows[0]?.finished_at ?? null,
      firstAt: of('orders')?.first ?? null,
      walkedAt: of('orders')?.last ?? null,
    },
    imported: new Set(imported.rows.map(({ kind }) => kind)),
    everClosed: close.rows.length > 0,
  };
}

/** What our figure rests on: the courier's own records of the orders, without them the shop's own book, or nothing at all. */
export function ourSource({ book, imported }: Knowledge): 'order-book' | 'own-book' | null {
  if (book.hasOrders) return 'order-book';
  return imported.has('orders') ? 'own-book' : null;
}

/**
 * Whether every month from one on, up to the last walk over the order book, was seen whole: only then is an invoice that the ledger
 * does not hold known not to be there, and not merely in a month that was never synced.
 */
export function isWholeSince({ wholeMonths, book }: Knowledge, month: string): boolean {
  const last = book.walkedAt?.slice(0, 7) ?? month;
  for (let each = month; each <= last; each = addMonths(each, 1)) if (!wholeMonths.has(each)) return false;
  return true;
}

/** How much of the courier's data the ledger holds: which months, and how much of the order book. */

import { sql } from 'kysely';
import { monthIn } from '../../../base/day.ts';
import { eachMonth } from '../../../base/period.ts';
import { courierOf, wholeLedger } from '../../courier.ts';
import { readClosesInForce } from '../closes/closes.ts';
import type { LedgerReader } from '../snapshot.ts';

/** The latest walk over a month's invoice list. */
interface MonthListing {
  readonly period: string;
  readonly run_id: number;
  readonly finished_at: string;
  readonly complete: boolean;
  /** How many different invoices it saw. */
  readonly seen_count: number;
  /** The run that walked it: `partial` where something could not be brought or read. */
  readonly run_status: string;
  readonly run_finished_at: string | null;
}

/** The latest walk over each month that was ever synced, in order; a month that is missing here was never synced. */
export async function readListings(db: LedgerReader, periods: readonly string[]): Promise<MonthListing[]> {
  const rows = await db
    .selectFrom('listing as l')
    .innerJoin('run as r', 'r.id', 'l.run_id')
    .select(['l.period', 'l.run_id', 'l.finished_at', 'l.complete', 'l.seen_count'])
    .select(['r.status as run_status', 'r.finished_at as run_finished_at'])
    .where('l.kind', '=', 'invoices')
    .where('l.period', 'in', [...periods])
    .where('l.id', '=', (eb) =>
      eb
        .selectFrom('listing as later')
        .select((e) => e.fn.max('later.id').as('id'))
        .where('later.kind', '=', 'invoices')
        .whereRef('later.period', '=', 'l.period'),
    )
    .orderBy('l.period')
    .execute();
  return rows.map((row) => ({ ...row, period: row.period!, complete: row.complete === 1 }));
}

/** The latest walk over one month's list; null where the month was never synced. */
export async function readMonthWalk(db: LedgerReader, period: string): Promise<MonthListing | null> {
  const [walk] = await readListings(db, [period]);
  return walk ?? null;
}

/** How much of the courier's order book the ledger holds. */
export interface OrderBook {
  /** `none`: never synced; `partial`: no walk over it came to its end, so that an order's absence means nothing. */
  readonly state: 'none' | 'partial' | 'complete';
  /** When the latest complete walk ended; null where there was none. */
  readonly completed_at: string | null;
  /** Whether that walk met orders that could not be read: they are in the book, and the ledger may not hold them. */
  readonly has_unreadable: boolean;
}

export async function readOrderBook(db: LedgerReader): Promise<OrderBook> {
  const rows = await db
    .selectFrom('listing')
    .select(['complete', (eb) => eb.fn.max('finished_at').as('finished_at')])
    .where('kind', '=', 'orders')
    .groupBy('complete')
    .execute();
  const complete = rows.find((row) => row.complete === 1);
  if (!complete) return { state: rows.length > 0 ? 'partial' : 'none', completed_at: null, has_unreadable: false };
  const faulty = await db
    .selectFrom('unreadable')
    .select('subject')
    .where('kind', '=', 'order')
    .limit(1)
    .executeTakeFirst();
  return { state: 'complete', completed_at: complete.finished_at, has_unreadable: faulty !== undefined };
}

/** When the courier's side was last looked at for a month; where it never was, the last walk or import of all. Null in an empty ledger. */
export async function readLookedAt(db: LedgerReader, period: string): Promise<string | null> {
  const walk = await readMonthWalk(db, period);
  if (walk) return walk.run_finished_at ?? walk.finished_at;
  const last = await db
    .selectFrom('listing')
    .select((eb) => eb.fn.max('finished_at').as('at'))
    .executeTakeFirst();
  const brought = await db
    .selectFrom('imported')
    .select((eb) => eb.fn.max('at').as('at'))
    .where((eb) => eb.or([eb('courier', 'is', null), eb('courier', '=', courierOf(db))]))
    .executeTakeFirst();
  return [last?.at ?? '', brought?.at ?? ''].reduce((a, b) => (a > b ? a : b)) || null;
}

interface SyncedMonths {
  /** The months whose latest walk did not see all that the list counts. */
  readonly incomplete: readonly string[];
  /** Those whose list holds invoices that could not be fetched or read: how many are missing, of how many. */
  readonly lacking: readonly { period: string; missing: number; listed: number }[];
  readonly never: readonly string[];
}

/** Sorts months by how far they were synced. */
export async function readSyncedMonths(db: LedgerReader, periods: readonly string[]): Promise<SyncedMonths> {
  const listings = await readListings(db, periods);
  const synced = listings.map(({ period }) => period);
  const listed = await db
    .selectFrom('invoice_listed as l')
    .leftJoin('invoice as i', 'i.number', 'l.invoice_number')
    .select([
      'l.period',
      (eb) => eb.fn.countAll<number>().as('listed'),
      (eb) => eb.fn.count<number>('i.number').as('held'),
    ])
    .where('l.period', 'in', [...periods])
    .where('l.vanished_at', 'is', null)
    .groupBy('l.period')
    .orderBy('l.period')
    .execute();
  return {
    incomplete: listings.filter(({ complete }) => !complete).map(({ period }) => period),
    lacking: listed
      .map(({ period, listed: count, held }) => ({ period, missing: count - held, listed: count }))
      .filter(({ missing }) => missing > 0),
    never: periods.filter((period) => !synced.includes(period)),
  };
}

/**
 * The months that the courier's side says something about, in order: from the first that was listed or holds an invoice to the last, and
 * those in which orders were delivered that no invoice lists yet (in the offset of their own statestamps).
 */
export async function monthsHeld(db: LedgerReader): Promise<string[]> {
  const listed = await db.selectFrom('listing').select('period').distinct().where('kind', '=', 'invoices').execute();
  const invoiced = await db.selectFrom('invoice').select('period').distinct().execute();
  const delivered = await db
    .selectFrom('courier_order')
    .select(sql<string>`substr(first_delivered_at, 1, 7)`.as('period'))
    .distinct()
    .where('first_delivered_at', 'is not', null)
    .where('merchant_invoice', 'is', null)
    .execute();
  const known = [...listed, ...invoiced].flatMap(({ period }) => period ?? []).sort();
  const between = known.length === 0 ? [] : eachMonth(known[0]!, known.at(-1)!);
  return [...new Set([...between, ...delivered.map(({ period }) => period)])].sort();
}

/** The last month of which the books hold anything, of any courier: its documents, receipts, decisions and closes. Null for none. */
export async function readLastMonth(db: LedgerReader, zone: string): Promise<string | null> {
  const whole = wholeLedger(db);
  const { date: received } = await readReceiptDays(whole, 'max');
  const decided = await whole
    .selectFrom('receipt_match')
    .select((eb) => eb.fn.max('at').as('at'))
    .where('removed_at', 'is', null)
    .where('difference_kind', 'is not', null)
    .executeTakeFirst();
  const months = [
    (await monthsHeld(whole)).at(-1),
    received?.slice(0, 7),
    decided?.at ? monthIn(decided.at, zone) : undefined,
    (await readClosesInForce(whole)).at(-1)?.period,
  ];
  return (
    months
      .filter((month) => month !== undefined)
      .sort()
      .at(-1) ?? null
  );
}

/** The day of the first receipt that counts, whosever it is; null for none. */
export async function readFirstReceiptDay(db: LedgerReader): Promise<string | null> {
  return (await readReceiptDays(db, 'min')).date;
}

async function readReceiptDays(db: LedgerReader, end: 'min' | 'max'): Promise<{ readonly date: string | null }> {
  return db
    .selectFrom('receipt')
    .select((eb) => (end === 'min' ? eb.fn.min('date') : eb.fn.max('date')).as('date'))
    .where('replaced_by', 'is', null)
    .executeTakeFirstOrThrow();
}

/** The months whose list was ever asked for, or that hold an invoice. */
export async function readKnownMonths(db: LedgerReader): Promise<string[]> {
  const listed = await db.selectFrom('listing').select('period').distinct().where('kind', '=', 'invoices').execute();
  const seen = await db.selectFrom('invoice_listed').select('period').distinct().execute();
  return [...new Set([...listed, ...seen].map(({ period }) => period).filter((period) => period !== null))].sort();
}

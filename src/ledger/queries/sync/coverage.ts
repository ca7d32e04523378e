/** How much of the courier's data the ledger holds: which months, and how much of the order book. */

import { sql } from 'kysely';
import { LedgerError } from '../../../base/errors.ts';
import { formatPeriod } from '../../../base/period.ts';
import { because } from '../../../words/errors/ledger.ts';
import type { LedgerReader } from '../snapshot.ts';

/** The latest walk over a month's invoice list. */
interface MonthListing {
  readonly period: string;
  readonly run_id: number;
  readonly finished_at: string;
  /** Whether every invoice that the list counts was seen. */
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

/** Which of some months can be reported on. */
interface SyncedMonths {
  /** Those that were ever synced, in order, whether or not their latest walk was complete. */
  readonly synced: readonly string[];
  /** The synced months whose latest walk did not see all that the list counts. */
  readonly incomplete: readonly string[];
  /** Those whose list holds invoices that could not be fetched or read: how many are missing, of how many. */
  readonly lacking: readonly { period: string; missing: number; listed: number }[];
  readonly never: readonly string[];
}

/**
 * Sorts months by whether they were ever synced.
 *
 * @throws LedgerError when none was: an empty answer would read as 'nothing is owed'
 */
export async function requireSynced(db: LedgerReader, periods: readonly string[]): Promise<SyncedMonths> {
  const listings = await readListings(db, periods);
  const synced = listings.map(({ period }) => period);
  const never = periods.filter((period) => !synced.includes(period));
  if (synced.length === 0) {
    const asked = formatPeriod(periods);
    throw new LedgerError(because({ id: 'never-synced', months: asked, one: periods.length === 1 }));
  }
  const listed = await db
    .selectFrom('invoice_listed as l')
    .leftJoin('invoice as i', 'i.number', 'l.invoice_number')
    .select([
      'l.period',
      (eb) => eb.fn.countAll<number>().as('listed'),
      (eb) => eb.fn.count<number>('i.number').as('held'),
    ])
    .where('l.period', 'in', synced)
    .where('l.vanished_at', 'is', null)
    .groupBy('l.period')
    .orderBy('l.period')
    .execute();
  const lacking = listed
    .map(({ period, listed: count, held }) => ({ period, missing: count - held, listed: count }))
    .filter(({ missing }) => missing > 0);
  return {
    synced,
    incomplete: listings.filter(({ complete }) => !complete).map(({ period }) => period),
    lacking,
    never,
  };
}

/**
 * The months that the ledger can say something about, in order: those that were listed, those of its invoices, and those in which
 * orders were delivered that no invoice lists yet (in the offset of their own statestamps).
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
  const months = [...listed, ...invoiced, ...delivered].map(({ period }) => period).filter((period) => period !== null);
  return [...new Set(months)].sort();
}

/** The months whose list was ever asked for, or that hold an invoice. */
export async function readKnownMonths(db: LedgerReader): Promise<string[]> {
  const listed = await db.selectFrom('listing').select('period').distinct().where('kind', '=', 'invoices').execute();
  const seen = await db.selectFrom('invoice_listed').select('period').distinct().execute();
  return [...new Set([...listed, ...seen].map(({ period }) => period).filter((period) => period !== null))].sort();
}

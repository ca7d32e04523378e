import { LedgerError } from '../../errors.ts';
import { formatPeriod } from '../../period.ts';
import type { LedgerReader } from './snapshot.ts';

/** What the latest walk over a month's invoice list came to. */
interface MonthListing {
  readonly period: string;
  readonly run_id: number;
  readonly finished_at: string;
  /** Whether every invoice that the list counts was seen. */
  readonly complete: boolean;
  /** How many invoices it saw. */
  readonly seen_count: number;
}

/** The latest walk over each month that was ever synced, in order; a month that is missing here was never synced. */
export async function readListings(db: LedgerReader, periods: readonly string[]): Promise<MonthListing[]> {
  const rows = await db
    .selectFrom('listing as l')
    .select(['l.period', 'l.run_id', 'l.finished_at', 'l.complete', 'l.seen_count'])
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
  /** Those that were synced, in order, however far their latest walk came. */
  readonly synced: readonly string[];
  /** Those of them whose latest walk did not see all that the list counts. */
  readonly incomplete: readonly string[];
  /** Those that list invoices which could not be brought or read, and how many the ledger lacks of how many. */
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
    const were = periods.length === 1 ? 'was' : 'were';
    throw new LedgerError(`${asked} ${were} never synced into this ledger`, `Run \`remit sync ${asked}\` first.`);
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

/** What was fetched of a courier's data: its months' lists, the invoices on them, and its order book. */
import { courierOf } from '../../courier.ts';
import type { ListingTable, RunStatus } from '../../schema.ts';
import { isOneOf } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/**
 * The latest walk over the list of each month, in order, with how many different invoices it saw and the status of its
 * run; a month that was never synced is missing.
 */
export async function readMonthWalks(db: LedgerReader, periods: readonly string[]) {
  interface Walk extends Pick<ListingTable, 'run_id' | 'finished_at' | 'complete' | 'seen_count'> {
    readonly period: string;
    readonly run_status: RunStatus;
    readonly run_finished_at: string | null;
  }
  const rows = await rowsOf<Walk>(db)`
    select l.period, l.run_id, l.finished_at, l.complete, l.seen_count,
      r.status as run_status, r.finished_at as run_finished_at
    from listing l join run r on r.id = l.run_id
    where l.kind = 'invoices' and ${isOneOf('l.period', periods)} and l.id = (
      select max(later.id) from listing later where later.kind = 'invoices' and later.period = l.period
    )
    order by l.period`;
  return rows.map((row) => ({ ...row, complete: row.complete === 1 }));
}

/** The latest walk over one month's list; null if the month was never synced. */
export async function readMonthWalk(db: LedgerReader, period: string) {
  const [walk] = await readMonthWalks(db, [period]);
  return walk ?? null;
}

/** How much of the courier's order book the ledger has. */
export interface OrderBook {
  /** `none`: never synced; `partial`: no walk over it was completed, so an order that is missing may still be in it. */
  readonly state: 'none' | 'partial' | 'complete';
  /** When the latest complete walk ended; null if there was none. */
  readonly completed_at: string | null;
  /** Whether a complete book has orders that could not be read: they may be missing in the ledger. */
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
  const query = db.selectFrom('unreadable').select('subject').where('kind', '=', 'order').limit(1);
  const unreadable = await query.executeTakeFirst();
  return { state: 'complete', completed_at: complete.finished_at, has_unreadable: unreadable !== undefined };
}

/**
 * When a month's data was last fetched. A month that was never fetched has instead the time of the courier's last walk,
 * or of the last import of a settlement sheet of the courier or of a file of your own, whichever came later: files may
 * be all that a month has. Null in an empty ledger.
 */
export async function readLastFetchOf(courierDb: LedgerReader, period: string): Promise<string | null> {
  const monthWalk = await readMonthWalk(courierDb, period);
  if (monthWalk) return monthWalk.run_finished_at ?? monthWalk.finished_at;
  // Imports belong to the books, not to a courier: the handle shows all of them.
  const rows = await rowsOf<{ at: string | null }>(courierDb)`
    select max(at) as at from (
      select max(finished_at) as at from listing
      union all select max(at) from imported where courier is null or courier = ${courierOf(courierDb)}
    ) times`;
  return rows[0]!.at;
}

/**
 * Sorts months by how far they were synced: those whose latest walk is not complete; those with invoices that could not
 * be fetched or read, with the number of these and of all; and those whose list was never walked.
 */
export async function readSyncedMonths(db: LedgerReader, periods: readonly string[]) {
  const walks = await readMonthWalks(db, periods);
  const syncedPeriods = walks.map(({ period }) => period);
  const months = await rowsOf<{ period: string; listed: number; held: number }>(db)`
    select l.period, count(*) as listed, count(i.number) as held
    from invoice_listed l left join invoice i on i.number = l.invoice_number
    where ${isOneOf('l.period', periods)} and l.vanished_at is null
    group by l.period order by l.period`;
  return {
    incomplete: walks.filter(({ complete }) => !complete).map(({ period }) => period),
    lacking: months
      .map(({ period, listed, held }) => ({ period, missing: listed - held, listed }))
      .filter(({ missing }) => missing > 0),
    never: periods.filter((period) => !syncedPeriods.includes(period)),
  };
}

/** The months whose list was ever read, or ever had an invoice: a sync reads them again. */
export async function readMonthsEverListed(db: LedgerReader): Promise<string[]> {
  const walked = await db.selectFrom('listing').select('period').distinct().where('kind', '=', 'invoices').execute();
  const listed = await db.selectFrom('invoice_listed').select('period').distinct().execute();
  const months = [...walked, ...listed].flatMap(({ period }) => period ?? []);
  return [...new Set(months)].sort();
}

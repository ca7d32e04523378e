/** What was fetched of a courier's data: its months' lists, the invoices on them, and its order book. */
import { courierOf } from '../../courier.ts';
import type { LedgerReader } from '../snapshot.ts';

/**
 * The latest walk over the list of each month, in order, with how many different invoices it saw and the status of its
 * run; a month that was never synced is missing.
 */
export async function readMonthWalks(db: LedgerReader, periods: readonly string[]) {
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
  const lastWalk = await courierDb
    .selectFrom('listing')
    .select((eb) => eb.fn.max('finished_at').as('at'))
    .executeTakeFirst();
  // Imports belong to the books, not to a courier: the handle shows all of them.
  const lastImport = await courierDb
    .selectFrom('imported')
    .select((eb) => eb.fn.max('at').as('at'))
    .where((eb) => eb.or([eb('courier', 'is', null), eb('courier', '=', courierOf(courierDb))]))
    .executeTakeFirst();
  const times = [lastWalk?.at, lastImport?.at].filter((at) => at != null).sort();
  return times.at(-1) ?? null;
}

/**
 * Sorts months by how far they were synced: those whose latest walk is not complete; those with invoices that could not
 * be fetched or read, with the number of these and of all; and those whose list was never walked.
 */
export async function readSyncedMonths(db: LedgerReader, periods: readonly string[]) {
  const walks = await readMonthWalks(db, periods);
  const syncedPeriods = walks.map(({ period }) => period);
  const months = await db
    .selectFrom('invoice_listed as l')
    .leftJoin('invoice as i', 'i.number', 'l.invoice_number')
    .select(({ fn }) => ['l.period', fn.countAll<number>().as('listed'), fn.count<number>('i.number').as('held')])
    .where('l.period', 'in', [...periods])
    .where('l.vanished_at', 'is', null)
    .groupBy('l.period')
    .orderBy('l.period')
    .execute();
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

import { type Party, readNames } from '../../../reports/names.ts';
import { readMonths } from '../../checks/facts/months.ts';
import { ofCourier, type Severity } from '../../ledger/index.ts';
import { readCloseLog, readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import { readFigureHead } from '../../ledger/queries/evidence/chain.ts';
import { readLastEvidence } from '../../ledger/queries/evidence/decided.ts';
import { countOpen, type OpenCount } from '../../ledger/queries/findings/mismatches.ts';
import { hasMoreRows } from '../../ledger/queries/rows/rows.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { type Run, readLastGoodSync, readLastSync } from '../../ledger/queries/sync/runs.ts';
import { type Books, NO_FIGURES, readBooks } from '../books.ts';
import type { LackingMonth } from '../check-result.ts';
import { readCloseConditions } from '../close/objections.ts';
import { type Courier, couriersOf } from '../couriers.ts';

/** Whether a month is closed, and how many mismatches it has. Its figures come from a report. */
export interface MonthOfBooks {
  readonly period: string;
  /** Who closed it and when; null while it is open. */
  readonly closed: { readonly by: string; readonly at: string } | null;
  /** Mismatches that nobody has decided about. */
  readonly open: Readonly<Record<Severity, number>>;
  readonly acknowledged: number;
}

type SyncFacts = Pick<Run, 'id' | 'started_at' | 'finished_at' | 'status'>;

/** Reads which months are closed, what is open in each, and when the books were last synced. */
export function readBooksState(books: Books) {
  return readBooks(books, { allCouriers: true }, async (wholeDb) => {
    const couriers = await couriersOf(wholeDb, books.config);
    const counts: OpenCount[] = [];
    const periods = new Set<string>();
    for (const { key, config } of couriers) {
      const courierDb = ofCourier(wholeDb, key);
      counts.push(...(await countOpen(courierDb)));
      for (const month of await readMonths(courierDb, config)) periods.add(month);
    }
    const closes = await readClosesInForce(wholeDb);
    const syncs = syncsOf(wholeDb, couriers);
    const months = [...periods].sort().map((period): MonthOfBooks => {
      const close = closes.find((closed) => closed.period === period);
      const open = { error: 0, warning: 0, info: 0 };
      let acknowledged = 0;
      for (const { severity, status, count } of counts.filter((counted) => counted.period === period)) {
        if (status === 'open') open[severity] += count;
        else acknowledged += count;
      }
      return { period, closed: close ? { by: close.actor, at: close.at } : null, open, acknowledged };
    });
    return {
      months,
      last_sync: syncFacts(await readLastSync(syncs)),
      last_good_sync: syncFacts(await readLastGoodSync(syncs)),
    };
  });
}

/** Where to read syncs: each is of one courier, so a desk that shows one courier shows that courier's syncs alone. */
function syncsOf(wholeDb: LedgerReader, couriers: readonly Courier[]): LedgerReader {
  return couriers.length === 1 ? ofCourier(wholeDb, couriers[0]!.key) : wholeDb;
}

function syncFacts(run: Run | null): SyncFacts | null {
  if (!run) return null;
  const { id, started_at, finished_at, status } = run;
  return { id, started_at, finished_at, status };
}

export interface ListedClose {
  readonly id: number;
  readonly period: string;
  readonly at: string;
  readonly by: string;
  /** Why it was closed although something spoke against it, as open errors do; null where nothing did. */
  readonly with_open: string | null;
  readonly reopened: { readonly at: string; readonly by: string; readonly reason: string } | null;
}

/** Every close, also of months that were opened again, the latest first. */
export function listCloses(books: Books): Promise<ListedClose[]> {
  return readBooks(books, { allCouriers: true }, async (db) => {
    // A close has a row for each courier.
    const closes = new Map((await readCloseLog(db)).map((close) => [close.id, close]));
    return [...closes.values()].reverse().map(({ id, period, at, actor: by, with_open, reopened }) => {
      const listed = { id, period, at, by, with_open };
      return { ...listed, reopened: reopened && { at: reopened.at, by: reopened.actor, reason: reopened.reason } };
    });
  });
}

/**
 * The month after the last closed one, if nothing speaks against closing it; else null. Null too where no month is
 * closed: a person has to decide with which month the books begin.
 */
export async function readMonthToClose(books: Books, lacking: readonly LackingMonth[]): Promise<string | null> {
  const { months } = await readBooksState(books);
  const lastClosed = months.findLastIndex(({ closed }) => closed !== null);
  const month = months[lastClosed + 1]?.period;
  if (month === undefined) return null;
  const lackingInMonth = lacking.filter(({ period }) => period === month);
  // `first: false`: a first close, with which the books would begin, is refused.
  const refusals = await readCloseConditions(books, month, lackingInMonth, false);
  return refusals.length === 0 ? month : null;
}

/** The state of the books that a page was made from. */
export interface Seen {
  /** The last evidence. */
  readonly last: number;
  /** The last evidence that figures depend on. */
  readonly figures: number;
  /** Whether there are so many invoice rows that adding them up takes too long for a person to wait without notice. */
  readonly isLarge: boolean;
  readonly couriers: readonly string[];
  readonly timeZone: string;
  readonly merchant: Party;
  /** When the last complete sync ended; null before the first. */
  readonly synced: string | null;
}

const MANY_ROWS = 20_000;

export function readSeen(books: Books): Promise<Seen> {
  return readBooks(books, NO_FIGURES, async (db, { config }) => {
    const couriers = await couriersOf(db, config);
    const sync = await readLastGoodSync(syncsOf(db, couriers));
    return {
      synced: sync && (sync.finished_at ?? sync.started_at),
      last: await readLastEvidence(db),
      isLarge: await hasMoreRows(db, MANY_ROWS),
      figures: (await readFigureHead(db))?.id ?? 0,
      couriers: couriers.map(({ name }) => name),
      timeZone: config.timeZone,
      // Every courier's books are the same merchant's.
      merchant: (await readNames(ofCourier(db, couriers[0]!.key), config)).merchant,
    };
  });
}

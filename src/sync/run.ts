import { BudgetError, InterruptedError } from '../base/errors.ts';
import { formatPeriod } from '../base/period.ts';
import { VERSION } from '../base/version.ts';
import { Deriver } from '../derive/deriver.ts';
import type { RunBegun, RunEnded } from '../derive/runs-and-walks.ts';
import { holdHead } from '../ledger/evidence/append.ts';
import { courierOf, ofCourier, type RunStatus } from '../ledger/index.ts';
import { nextRunNumber, readRunning } from '../ledger/queries/sync/to-fetch.ts';
import { syncAccount } from './account.ts';
import { syncDetails, syncList } from './invoices.ts';
import { syncOrderBook } from './order-book.ts';
import { defaultPeriods, type PlannedFetch } from './plan.ts';
import { withCleanWarnings } from './progress.ts';
import { record, recordIn, type SyncOptions, type SyncSession, type SyncSummary } from './session.ts';
import { syncWaitingOrders } from './waiting-orders.ts';

/** The months that a sync still has to fetch; null stands for the order book. */
type Due = Set<string | null>;

/**
 * Fetches the account, which refuses another merchant's key, and all that is due, first what decides money: the lists;
 * the details of new, changed or unpaid invoices; those of paid ones; the order book. Removes from `due` what is done.
 */
async function fetchDue(session: SyncSession, due: Due): Promise<void> {
  await syncAccount(session);
  const planned: { period: string; fetches: readonly PlannedFetch[] }[] = [];
  for (const period of [...due]) {
    if (period === null) continue;
    throwIfAborted(session.signal);
    const fetches = await syncList(session, period);
    planned.push({ period, fetches });
    if (fetches.length === 0) due.delete(period);
  }
  // In two rounds over all months: first the invoices that may still change, then those that are paid.
  for (const isPaidRound of [false, true]) {
    for (const { period, fetches } of planned) {
      throwIfAborted(session.signal);
      const round = fetches.filter(({ why }) => (why === 'paid') === isPaidRound);
      if (round.length > 0) await syncDetails(session, period, round);
      // After the first round a month is done in which no paid invoice is to be fetched.
      if (isPaidRound || round.length === fetches.length) due.delete(period);
    }
  }
  throwIfAborted(session.signal);
  // Orders that webhooks named are fetched even if the order book is not.
  if (due.has(null)) await syncOrderBook(session);
  else await syncWaitingOrders(session);
  due.delete(null);
}

/** Records and warns of what the budget of requests left undone. */
function leaveUndone(session: SyncSession, due: Due, error: BudgetError): void {
  for (const period of due) session.leftUndone.push({ period, why: error.message });
  const what = [...due].map((period) => period ?? 'the order book').join(', ');
  session.progress.warn(`${error.message}; not all was asked for of ${what}. The next sync goes on there`);
}

/**
 * Fetches invoices month by month, and the order book if requested, into the ledger. Each document is stored whole or
 * not at all, so the next sync completes one that was killed. Open the ledger `exclusive` for it.
 *
 * @returns what was done; `partial` when something could not be fetched or read, of which `progress` was warned
 * @throws AuthError, ApiError when the API refuses the key or cannot be reached; what was stored before is kept
 * @throws InterruptedError on Ctrl-C; what was stored before is kept
 */
export async function runSync(options: SyncOptions): Promise<SyncSummary> {
  const { ledger, client } = options;
  const startedAt = options.now();
  const periods = options.periods ?? (await defaultPeriods(ledger.db, options));
  const deriver = new Deriver();
  const run = await beginRun(options, deriver, startedAt, formatPeriod(periods));
  options.progress.setRun?.(run);
  options.meter?.setRun(run);
  const session: SyncSession = {
    ...options,
    progress: withCleanWarnings(options.progress),
    run,
    deriver,
    orderBook: deriver.orderBookOf(courierOf(ledger.db)),
    isIncomplete: false,
    leftUndone: [],
    counts: {
      invoices: { listed: 0, fetched: 0, unchanged: 0, failed: 0 },
      orders: { listed: 0, changed: 0 },
      malformed: 0,
    },
  };
  const summarise = (status: SyncSummary['status']): SyncSummary => ({
    run,
    status,
    periods: [...periods],
    requests: client.stats.requests,
    retries: client.stats.retries,
    ...session.counts,
    bytes: client.stats.bytes,
    seconds: (options.now().getTime() - startedAt.getTime()) / 1_000,
    incomplete: session.leftUndone,
  });
  try {
    const due: Due = new Set<string | null>([...periods, ...(options.orders ? [null] : [])]);
    await fetchDue(session, due).catch((error: unknown) => {
      if (!(error instanceof BudgetError)) throw error;
      leaveUndone(session, due, error);
    });
    const summary = summarise(session.isIncomplete || session.leftUndone.length > 0 ? 'partial' : 'complete');
    await endRun(session, summary.status, summary);
    return summary;
  } catch (error) {
    const status = error instanceof InterruptedError ? 'interrupted' : 'failed';
    // The first error is the one to report, even if the ledger cannot record it (a full disk).
    await endRun(session, status, { ...summarise('partial'), status }).catch(() => {});
    throw error;
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new InterruptedError();
}

/**
 * Records that a run begins, and ends those that were killed: this process has the lock, so none is at work. With
 * `othersMayRun` the lock does not keep out the syncs of other couriers: their runs are left alone.
 */
async function beginRun({ ledger, othersMayRun = false }: SyncOptions, deriver: Deriver, at: Date, period: string) {
  return ledger.db.transaction().execute(async (trx) => {
    // The chain is locked first, so that no other courier's run takes the same number.
    await holdHead(trx);
    const running = await readRunning(trx);
    const next = await nextRunNumber(trx);
    const session = { run: next, deriver };
    for (const { id, courier } of running) {
      if (othersMayRun && courier !== courierOf(ledger.db)) continue;
      const ended: RunEnded = { status: 'interrupted', finished: false, summary: null };
      await recordIn(ofCourier(trx, courier), session, { at, kind: 'run-ended', subject: String(id), data: ended });
    }
    const begun: RunBegun = { command: 'sync', version: VERSION, period };
    await recordIn(trx, session, { at, kind: 'run-begun', subject: String(next), data: begun });
    return next;
  });
}

async function endRun(session: SyncSession, status: RunStatus, summary: object): Promise<void> {
  const data: RunEnded = { status, finished: true, summary };
  await record(session, { at: session.now(), kind: 'run-ended', subject: String(session.run), data });
}

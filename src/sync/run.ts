import { ContractError, InterruptedError } from '../base/errors.ts';
import { formatPeriod } from '../base/period.ts';
import { VERSION } from '../base/version.ts';
import { Deriver } from '../derive/deriver.ts';
import type { RunBegun, RunEnded } from '../derive/run.ts';
import { type Ledger, ofCourier, type RunStatus } from '../ledger/index.ts';
import { readRunning } from '../ledger/queries/sync/held.ts';
import { syncAccount } from './account.ts';
import { syncPeriod } from './invoices.ts';
import { concludeBroken, concludeListing, lostEverything } from './listing.ts';
import { BOOK_NAME, PageBatch, readHeldBook } from './page-batch.ts';
import { defaultPeriods } from './plan.ts';
import { cleanly } from './progress.ts';
import {
  recordIn,
  reportFaults,
  type SyncOptions,
  type SyncSession,
  type SyncSummary,
  unreadableBody,
} from './session.ts';

const LISTING = { kind: 'orders', period: null } as const;

/** Fetches the whole order book, stores it batch by batch, and marks the orders that are gone from it. */
async function syncOrderBook(session: SyncSession): Promise<void> {
  const { client, counts, progress } = session;
  const { orderBook } = session.deriver;
  const held = await readHeldBook(session.ledger);
  const batch = new PageBatch(session, held);
  progress.begin({ brings: 'orders' }, null);
  try {
    orderBook.enter(session.run);
    const knownId = (sha256: string) => held.records.get(sha256)?.order_id;
    const walk = await client.walkOrderBook(knownId, async (page, walkNumber) => {
      if (page.count !== null) progress.expect(page.count);
      await batch.add(page, walkNumber);
      progress.advance(page.items.length);
    });
    await batch.store();
    counts.orders.listed = orderBook.seenIn(walk.complete ? walk.walks : null).length;
    const unreadable = {
      subjects: [...orderBook.unreadableIn(walk.walks)],
      anonymous: orderBook.anonymousIn(walk.walks),
    };
    const left = held.ids.filter((id) => orderBook.isSeen(id, walk.walks)).length;
    const distrust = walk.complete ? lostEverything(session, LISTING, held.ids.length, left) : null;
    await concludeListing(session, LISTING, walk, unreadable, distrust);
  } catch (error) {
    if (error instanceof InterruptedError) throw error;
    await batch.store().catch(() => {});
    await concludeBroken(session, LISTING, error);
    if (!(error instanceof ContractError)) throw error;
    reportFaults(session, 'the order book', [error]);
    await keepUnreadablePage(session, error);
  } finally {
    progress.end();
  }
}

/** Keeps a page that cannot be cut into its orders, whole as it was received. */
async function keepUnreadablePage(session: SyncSession, fault: ContractError): Promise<void> {
  const body = await unreadableBody(fault);
  if (!body) return;
  const page = { kind: 'order-list', subject: 'orders', listing: BOOK_NAME, body, at: session.now() } as const;
  await session.ledger.db.transaction().execute((trx) => recordIn(trx, session, { ...page, fault: fault.message }));
}

/**
 * Fetches invoices month by month, and the order book if requested, into the ledger. Each document is stored whole or not at all, so
 * the next sync completes one that was killed. Open the ledger `exclusive` for it.
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
  const run = await beginRun(ledger, deriver, { command: 'sync', at: startedAt, period: formatPeriod(periods) });
  options.progress.belongsTo?.(run);
  const session: SyncSession = {
    ...options,
    progress: cleanly(options.progress),
    run,
    deriver,
    incomplete: false,
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
  });
  try {
    await syncAccount(session);
    for (const period of periods) {
      throwIfAborted(options.signal);
      await syncPeriod(session, period);
    }
    throwIfAborted(options.signal);
    if (options.orders) await syncOrderBook(session);
    const summary = summarise(session.incomplete ? 'partial' : 'complete');
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

/** Records that a run begins, and closes runs that were killed: this process holds the ledger's lock, so none of them is active. */
async function beginRun(
  ledger: Ledger,
  deriver: Deriver,
  { command, at, period }: { command: string; at: Date; period: string | null },
): Promise<number> {
  return ledger.db.transaction().execute(async (trx) => {
    const { running, next } = await readRunning(trx);
    const session = { run: next, deriver };
    for (const { id, courier } of running) {
      const ended: RunEnded = { status: 'interrupted', finished: false, summary: null };
      await recordIn(ofCourier(trx, courier), session, { at, kind: 'run-ended', subject: String(id), data: ended });
    }
    const begun: RunBegun = { command, version: VERSION, period };
    await recordIn(trx, session, { at, kind: 'run-begun', subject: String(next), data: begun });
    return next;
  });
}

/** Records how the run ended. */
async function endRun(
  session: Pick<SyncSession, 'ledger' | 'run' | 'deriver' | 'now'>,
  status: RunStatus,
  summary: object | null,
): Promise<void> {
  const ended: RunEnded = { status, finished: true, summary };
  await session.ledger.db.transaction().execute(async (trx) => {
    await recordIn(trx, session, {
      at: session.now(),
      kind: 'run-ended',
      subject: String(session.run),
      data: ended,
    });
  });
}

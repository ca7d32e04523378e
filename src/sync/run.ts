import { InterruptedError } from '../errors.ts';
import { formatPeriod } from '../period.ts';
import { syncAccount } from './account.ts';
import { syncPeriod } from './invoices.ts';
import { Lists } from './lists.ts';
import { syncOrderBook } from './order-book.ts';
import { defaultPeriods } from './periods.ts';
import { cleanly } from './progress.ts';
import { beginRun, endRun } from './runs.ts';
import { newDeriver, type SyncOptions, type SyncSession } from './session.ts';
import type { SyncSummary } from './summary.ts';

/**
 * Brings invoices month by month, and the order book when asked, into the ledger: each document whole or not at all, so that a
 * sync which was killed is finished by the next one. Open the ledger `exclusive` for it.
 *
 * @returns what was done; `partial` when something could not be read or brought (it was told to `progress`)
 * @throws AuthError, ApiError when the API refuses the key or cannot be reached; what was brought before is kept
 * @throws InterruptedError on Ctrl-C, likewise
 */
export async function runSync(options: SyncOptions): Promise<SyncSummary> {
  const { ledger, client } = options;
  const startedAt = options.now();
  const periods = options.periods ?? (await defaultPeriods(ledger.db, startedAt));
  const deriver = newDeriver();
  const run = await beginRun(ledger, deriver, { command: 'sync', at: startedAt, period: formatPeriod(periods) });
  options.progress.belongsTo?.(run);
  const session: SyncSession = {
    ...options,
    progress: cleanly(options.progress),
    run,
    deriver,
    lists: new Lists(options, periods),
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
    await session.lists.settled();
    const status = error instanceof InterruptedError ? 'interrupted' : 'failed';
    // The first failure is what the user must hear of, even where the ledger can no longer note it (a full disk).
    await endRun(session, status, { ...summarise('partial'), status }).catch(() => {});
    throw error;
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new InterruptedError();
}

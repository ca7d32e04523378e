/** The process in which a sync of the desk runs: it holds up no page, and can be ended. */
import type { Books } from '../../app/books.ts';
import { checkBooks } from '../../app/check-books.ts';
import { type Progress, type ProgressStep, syncBooks } from '../../app/sync.ts';
import { type Explanation, LedgerAwayError, RemitError } from '../../base/errors.ts';
import { parsePeriod } from '../../base/period.ts';
import { type ConfigSources, loadConfig } from '../../config/index.ts';
import { readKey } from '../../config/key.ts';
import { deskError } from '../../words/errors/desk.ts';
import { explained } from '../../words/index.ts';

export interface ChildSyncRequest {
  readonly sources: ConfigSources;
  readonly by: string;
  /** The couriers by name; all if empty. */
  readonly couriers: readonly string[];
  /** As `remit sync` takes it; null for the months that it chooses itself. */
  readonly period: string | null;
  readonly orders: boolean;
  /** The desk's clock when the sync was started, in milliseconds. */
  readonly now: number;
}

export type SyncProgress = Readonly<Record<'months' | 'invoices' | 'orders' | 'faults', number>>;

export type SyncEnd = 'complete' | 'partial' | 'failed' | 'cancelled';

/** A message of the child: always the whole progress. */
export interface SyncMessage {
  readonly progress: SyncProgress;
  /** Absent while it runs. */
  readonly end?: { readonly status: SyncEnd; readonly says: Explanation };
}

const TELL_EVERY_MS = 200;

const stopping = new AbortController();
const progress = { months: 0, invoices: 0, orders: 0, faults: 0 };
let bringing: ProgressStep['brings'] = 'list';

process.on('message', (request: ChildSyncRequest | 'cancel') => {
  if (request === 'cancel') stopping.abort();
  else void run(request);
});
// The desk is gone: cancel the sync.
process.on('disconnect', () => stopping.abort());

async function run(request: ChildSyncRequest): Promise<void> {
  const timer = setInterval(() => process.send?.({ progress } satisfies SyncMessage), TELL_EVERY_MS);
  const end = await sync(request).catch(endOfFailed);
  clearInterval(timer);
  process.send?.({ progress, end } satisfies SyncMessage, () => process.disconnect());
}

async function sync(request: ChildSyncRequest): Promise<NonNullable<SyncMessage['end']>> {
  const { sources, couriers, period, orders, by } = request;
  const begunAt = performance.now();
  const now = () => new Date(request.now + performance.now() - begunAt);
  const config = await loadConfig(sources);
  const books: Books = {
    config,
    now,
    signal: stopping.signal,
    key: (source = config.keySource) => readKey(source, sources.env),
    detail: () => {},
    by,
  };
  const periods = period === null ? null : parsePeriod(period, now(), config.timeZone);
  const options = { periods, orders, full: false, acceptAccount: false, acceptVanished: false };
  // `config.courier` is null unless a flag named one: `courier: null` syncs all.
  const names = couriers.length === 0 ? [config.courier] : couriers;
  let status: 'complete' | 'partial' = 'complete';
  const counts = { fetched: 0, failed: 0, changed: 0 };
  for (const courier of names) {
    const result = await syncBooks({ ...books, config: { ...config, courier } }, options, counting);
    if (result.status !== 'complete') status = 'partial';
    counts.fetched += result.invoices.fetched;
    counts.failed += result.invoices.failed;
    counts.changed += result.orders.changed;
  }
  // Stores what does not agree in any month, so that the desk shows it.
  await checkBooks(books, { periods: null });
  return { status, says: explained({ id: 'synced', status, ...counts }) };
}

function endOfFailed(error: unknown): NonNullable<SyncMessage['end']> {
  if (stopping.signal.aborted) return { status: 'cancelled', says: explained({ id: 'sync-cancelled' }) };
  // The original message names the server and its user: people at the desk do not see it.
  if (error instanceof LedgerAwayError) return { status: 'failed', says: deskError({ id: 'database-away' }) };
  const says = error instanceof RemitError ? error.explanation : deskError({ id: 'unexpected' });
  return { status: 'failed', says };
}

/** Counts months, invoices, orders and faults as they come: `begin` says which of them come next. */
const counting: Progress = {
  begin: (step) => {
    bringing = step.brings;
  },
  expect: () => {},
  advance: (count) => {
    if (bringing === 'invoices' || bringing === 'orders') progress[bringing] += count;
  },
  warn: () => {
    progress.faults += 1;
  },
  end: () => {
    // A list has the invoices of one month.
    if (bringing === 'list') progress.months += 1;
  },
};

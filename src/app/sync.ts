import type { Client } from '../courier/index.ts';
import { type Ledger, ledgerExists } from '../ledger/index.ts';
import { usingScratchLedger } from '../ledger/scratch.ts';
import { requireSaneClock } from '../period.ts';
import { type Progress, planSync, runSync, type SyncOptions, type SyncSummary, silent } from '../sync/index.ts';
import { type Books, placeOf, usingBooks } from './books.ts';
import { usingClient } from './client.ts';
import { matchNow } from './match/run.ts';

export { type Progress, type SyncSummary, silent };

/** What is asked of a sync; `periods` null: the months that it chooses itself. */
export type SyncRequest = Pick<SyncOptions, 'periods' | 'orders' | 'full' | 'acceptAccount' | 'acceptVanished'>;

/** What a sync would fetch of one month. */
export interface PlannedPeriod {
  readonly period: string;
  readonly listed: number;
  readonly fetch: readonly { readonly number: number; readonly why: string }[];
}

/**
 * Brings invoices, and the order book when asked, into the books' ledger, which is made if it is not there.
 *
 * @returns what was done; `partial` when something could not be brought, each of which was told to `progress`
 * @throws LedgerBusyError when another sync is at work; ConfigError (a clock that cannot be right too), AuthError, ApiError, LedgerError, InterruptedError
 */
export async function syncBooks(books: Books, request: SyncRequest, progress: Progress): Promise<SyncSummary> {
  requireSaneClock(books.now());
  const warn = (sentence: string) => progress.warn(sentence);
  return usingClient(
    books,
    (client) =>
      usingBooks(books, { create: true, exclusive: true }, async (ledger) => {
        const summary = await runSync(optionsOf(books, request, progress, client, ledger));
        // What was brought may be what a receipt pays.
        await matchNow(ledger, books);
        return summary;
      }),
    { warn },
  );
}

/** What {@link syncBooks} would fetch. Reads the lists and leaves nothing behind, not even a ledger. */
export async function planBooksSync(books: Books, request: SyncRequest, progress: Progress): Promise<PlannedPeriod[]> {
  requireSaneClock(books.now());
  return usingClient(books, (client) =>
    usingLedgerOrEmpty(books, async (ledger) => {
      const plans = await planSync(optionsOf(books, request, progress, client, ledger));
      return plans.map(({ period, listed, fetch }) => ({
        period,
        listed: listed.size,
        fetch: fetch.map((planned) => ({ number: planned.listed.number, why: planned.why })),
      }));
    }),
  );
}

function optionsOf(
  { config, now, signal }: Books,
  request: SyncRequest,
  progress: Progress,
  client: Client,
  ledger: Ledger,
): SyncOptions {
  const { recheckHours, recheckPaidDays, concurrency } = config;
  return { ...request, ledger, client, recheckHours, recheckPaidDays, concurrency, now, progress, signal };
}

/** Where there is no ledger yet, an empty one is made elsewhere and removed. */
async function usingLedgerOrEmpty<T>(books: Books, use: (ledger: Ledger) => Promise<T>): Promise<T> {
  if (await ledgerExists(placeOf(books.config))) return usingBooks(books, { readOnly: true }, use);
  return usingScratchLedger(use);
}

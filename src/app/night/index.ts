import { InterruptedError, LedgerError } from '../../errors.ts';
import { readLastGoodSync } from '../../ledger/read/index.ts';
import { monthOf } from '../../period.ts';
import { type Books, usingBooks } from '../books.ts';
import { checkBooks, type FailOn } from '../check.ts';
import { type Progress, syncBooks } from '../sync.ts';
import { exitCodeOf, hasNews, hasTrouble } from './badness.ts';
import { lastMatch, matchNight } from './matching.ts';
import type { FailedPart, Night } from './model.ts';
import { newsOf } from './news.ts';
import { notify, type Words } from './notify.ts';
import { unansweredClaims } from './unanswered.ts';

export { hasNews, hasTrouble, type Night, type Words };

export interface NightRequest {
  /** Bring the whole order book too. */
  readonly orders: boolean;
  readonly failOn: FailOn;
  /** What `notify_command` is run with, less the API key. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Puts what was thrown into words. */
  readonly explain: (error: unknown) => FailedPart;
  /** Puts the night into words, for `notify_command`. */
  readonly inWords: (night: Night) => Words;
}

/** The exit code of a sync that found another at work. */
const BUSY = 4;

/**
 * What cron runs: brings the months that a sync chooses itself, matches receipts to what it brought, checks every month that is held, and tells whoever is to be told when
 * there is news or trouble. A sync that fails stops nothing: what is held is checked all the same. Only while another sync is at work
 * nothing is checked, for half of what it brings would be news.
 *
 * @throws InterruptedError on Ctrl-C; nobody is told then
 */
export async function runNight(books: Books, request: NightRequest, progress: Progress): Promise<Night> {
  const at = books.now();
  const warnings: string[] = [];
  const warn = (sentence: string) => {
    warnings.push(sentence);
    progress.warn(sentence);
  };
  const part = <T>(work: () => Promise<T>) => attempt(books, request, work);

  const before = await ifOpens(0, () => lastMatch(books));
  const sync = await part(() => syncBooks(books, syncRequest(request), { ...progress, warn }));
  const isBusy = sync.failure?.exit_code === BUSY;
  const match = isBusy ? NOTHING : await part(() => ifOpens(null, () => matchNight(books, before)));
  const check = isBusy ? NOTHING : await part(() => checkBooks(books, { periods: null }));
  const good = await lastGoodSync(books);
  const unanswered = await ifOpens(null, () => unansweredClaims(books));

  const parts = {
    at: at.toISOString(),
    sync: sync.done,
    sync_failure: sync.failure,
    warnings,
    match: match.done,
    match_failure: match.failure,
    check: check.done && newsOf(check.done, monthOf(at)),
    check_failure: check.failure,
    unanswered,
    last_good_sync: good,
    age_seconds: good === null ? null : Math.max(0, Math.floor((books.now().getTime() - Date.parse(good)) / 1_000)),
    notified: [],
  };
  const night: Night = { ...parts, exit_code: exitCodeOf(parts, request.failOn) };
  if (!hasNews(night) && !hasTrouble(night)) return night;
  const notified = await notify(books.config, night, request.inWords(night), request.env);
  return { ...night, notified, exit_code: exitCodeOf({ ...parts, notified }, request.failOn) };
}

function syncRequest({ orders }: NightRequest) {
  return { periods: null, orders, full: false };
}

/** One part of the night: what it did, or how it failed. */
interface Attempt<T> {
  readonly done: T | null;
  readonly failure: FailedPart | null;
}

const NOTHING = { done: null, failure: null };

async function attempt<T>(
  { signal }: Pick<Books, 'signal'>,
  { explain }: Pick<NightRequest, 'explain'>,
  work: () => Promise<T>,
): Promise<Attempt<T>> {
  try {
    return { done: await work(), failure: null };
  } catch (error) {
    if (error instanceof InterruptedError || signal.aborted) throw error;
    return { done: null, failure: explain(error) };
  }
}

/** When a sync last brought everything; null where none did, or there is no ledger yet. */
function lastGoodSync(books: Books): Promise<string | null> {
  return ifOpens(null, async () => {
    const run = await usingBooks(books, { readOnly: true }, (ledger) => readLastGoodSync(ledger.db));
    return run?.finished_at ?? null;
  });
}

/** What a ledger says. One that cannot be opened is what the check says. */
async function ifOpens<T>(otherwise: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LedgerError) return otherwise;
    throw error;
  }
}

import { dayIn, dayNumber, monthIn } from '../../base/day.ts';
import { InterruptedError, LedgerError } from '../../base/errors.ts';
import { wholeLedger } from '../../ledger/index.ts';
import { readClosesInForce } from '../../ledger/queries/closes/closes.ts';
import { readUnanswered } from '../../ledger/queries/findings/claims.ts';
import { readDocumentedMonths } from '../../ledger/queries/months.ts';
import { hasReceipts } from '../../ledger/queries/receipts/receipts.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { readLastGoodSync } from '../../ledger/queries/sync/runs.ts';
import { readLastBookWalk } from '../../ledger/queries/sync/walks.ts';
import { formatUnits } from '../../money/units.ts';
import { type Books, readBooks, zoneOf } from '../books.ts';
import { checkBooks } from '../check-books.ts';
import { type CheckResult, type FailOn, isFailure } from '../check-result.ts';
import { readCourierCash } from '../custody.ts';
import { claimedEffect } from '../disputes/claim-report.ts';
import { readSharesSent } from '../disputes/taken-off.ts';
import { eachCourier } from '../each-courier.ts';
import { listMatches, runMatching } from '../match/report-matches.ts';
import { type Progress, syncBooks } from '../sync.ts';
import {
  type FailedPart,
  type Night,
  type NightCheck,
  type NightMatching,
  type Unanswered,
  WORST_FIRST,
} from './model.ts';
import { effectSums, newsOf } from './news.ts';
import { type NightWords, notify } from './notify.ts';

/** What decides the exit code. */
type Parts = Pick<Night, 'sync' | 'sync_failure' | 'match' | 'match_failure' | 'check' | 'check_failure' | 'notified'>;

/**
 * The exit code of the worst part: wrong settings (2), another command at work (4), a failed sync of every courier, a
 * failed matching or check (1), mismatches (3), and then (1) what was not fetched, an incomplete month, or a
 * notification that did not arrive. A failed sync comes before mismatches: yesterday's mismatches must not hide that
 * nothing was read today.
 */
function nightExitCode(night: Parts, failOn: FailOn): number {
  const failed = [night.sync_failure, night.match_failure, night.check_failure].flatMap((part) =>
    part ? [part.exit_code] : [],
  );
  const couriers = night.sync?.couriers ?? [];
  const syncErrors = couriers.flatMap((courier) => (courier.status === 'failed' ? [courier.error] : []));
  if (couriers.length > 0 && syncErrors.length === couriers.length) {
    failed.push(...syncErrors.map(({ code }) => (code === 'config' ? 2 : 1)));
  }
  const worst = WORST_FIRST.find((code) => failed.includes(code));
  if (worst !== undefined) return worst;
  if (night.check && isFailure(night.check, failOn)) return 3;
  return hasTrouble(night) || night.notified.some(({ ok }) => !ok) ? 1 : 0;
}

/** Whether something was not done, or not completely. Then the night notifies: silence would mean 'all is well'. */
export function hasTrouble(night: Omit<Parts, 'notified' | 'match'>): boolean {
  const { sync, sync_failure, match_failure, check, check_failure } = night;
  if (sync_failure !== null || match_failure !== null || check_failure !== null) return true;
  return sync?.status !== 'complete' || check === null || check.incomplete.length > 0;
}

/**
 * Whether a mismatch opened, reopened or was resolved, a receipt was matched, or a claim has waited too long for its
 * answer.
 */
export function hasNews({ match, check, unanswered }: Pick<Night, 'match' | 'check' | 'unanswered'>): boolean {
  if (match !== null && match.new > 0) return true;
  return (check !== null && check.new + check.resolved > 0) || unanswered?.due === true;
}

export interface NightRequest {
  /** Fetch the whole order book too; null: if a sync ever did. A record older than its invoice cannot be compared. */
  readonly orders: boolean | null;
  readonly failOn: FailOn;
  /** What `notify_command` is run with, without the secrets in it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly explain: (error: unknown) => FailedPart;
  /** Describes the night in words, for `notify_command`. */
  readonly inWords: (night: Night) => NightWords;
}

/** The exit code of a sync that found another at work. */
const BUSY = 4;

/**
 * The nightly run: syncs the months that a sync chooses itself, matches receipts, checks every month in the ledger, and
 * notifies when there is news or trouble. If the sync fails, the ledger is checked all the same. Only while another
 * command is at work nothing is checked, because half of what it fetches would be reported as news.
 *
 * @throws InterruptedError on Ctrl-C; nobody is notified then
 */
export async function runNight(books: Books, request: NightRequest, progress: Progress): Promise<Night> {
  const at = books.now();
  const warnings: string[] = [];
  const warn = (sentence: string) => {
    warnings.push(sentence);
    progress.warn(sentence);
  };
  /** Does one part of the night. @returns what was done, or how it failed */
  const part = async <T>(work: () => Promise<T>) => {
    try {
      return { done: await work(), failure: null };
    } catch (error) {
      if (error instanceof InterruptedError || books.signal.aborted) throw error;
      return { done: null, failure: request.explain(error) };
    }
  };

  const lastMatchBefore = await ifOpens(0, () => lastMatch(books));
  const orders = request.orders ?? (await ifRead(books, false, async (db) => (await readLastBookWalk(db)) !== null));
  const sync = await part(() =>
    // `mayBeNone`: where every courier sends sheets, there is nothing to sync, and that is no failure.
    syncBooks(books, { periods: null, orders, full: false, mayBeNone: true }, { ...progress, warn }),
  );
  const isBusy = sync.failure?.exit_code === BUSY;
  const match = isBusy ? NOT_TRIED : await part(() => ifOpens(null, () => matchNight(books, lastMatchBefore)));
  const check = isBusy ? NOT_TRIED : await part(() => checkBooks(books, { periods: null }));
  const cash = check.done ? await ifOpens([], () => readCourierCash(books)) : [];
  const lastGood = await ifOpens(null, () => lastGoodSync(books));
  const unanswered = await ifOpens(null, () => unansweredClaims(books));

  const parts = {
    at: at.toISOString(),
    sync: sync.done,
    sync_failure: sync.failure,
    warnings,
    match: match.done,
    match_failure: match.failure,
    check: check.done && (await nightCheckOf(books, check.done, at)),
    check_failure: check.failure,
    cash,
    unanswered,
    last_good_sync: lastGood,
    age_seconds: lastGood === null ? null : secondsBetween(lastGood, books.now()),
    oldest_open_month: await ifRead(books, null, oldestOpenMonth),
    notified: [],
  };
  const night: Night = { ...parts, exit_code: nightExitCode(parts, request.failOn) };
  if (!hasNews(night) && !hasTrouble(night)) return night;
  const notified = await notify(books.config, night, request.inWords(night), request.env);
  return { ...night, notified, exit_code: nightExitCode({ ...parts, notified }, request.failOn) };
}

async function nightCheckOf(books: Books, result: CheckResult, at: Date): Promise<NightCheck> {
  const month = monthIn(at, await zoneOf(books));
  return newsOf(result, month, await ifRead(books, new Set(), monthsClosedAnyway));
}

function secondsBetween(from: string, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - Date.parse(from)) / 1_000));
}

/** The months that a person closed though remit gave reasons against it. */
async function monthsClosedAnyway(db: LedgerReader): Promise<ReadonlySet<string>> {
  const closes = await readClosesInForce(db);
  return new Set(closes.flatMap(({ period, with_open }) => (with_open === null ? [] : period)));
}

/** The first month in the ledger after the last closed one: months before the first close are never closed. */
async function oldestOpenMonth(db: LedgerReader): Promise<string | null> {
  const lastClosed = (await readClosesInForce(db)).at(-1)?.period ?? '';
  return (await readDocumentedMonths(db)).find((month) => month > lastClosed) ?? null;
}

const NOT_TRIED = { done: null, failure: null };

/**
 * When the last sync that fetched everything was, at the courier for which that is longest ago; null if a courier had
 * none. Only couriers that are in the settings and have an API count.
 */
async function lastGoodSync(books: Books): Promise<string | null> {
  const synced = await eachCourier(books, { readOnly: true }, async (ledger, { config, isSet }) =>
    isSet && config.kind === 'api' ? [(await readLastGoodSync(ledger.db))?.finished_at ?? null] : [],
  );
  const times = synced.flatMap(({ value }) => value);
  return times.includes(null) ? null : (times.sort()[0] ?? null);
}

/** What `read` gives of the rows of all couriers, or `otherwise` if the ledger cannot be opened. */
function ifRead<T>(books: Books, otherwise: T, read: (db: LedgerReader) => Promise<T>): Promise<T> {
  return ifOpens(otherwise, () => readBooks(books, { allCouriers: true }, (db) => read(wholeLedger(db))));
}

/** What `read` gives, or `otherwise` if the ledger cannot be opened: the check reports that. */
async function ifOpens<T>(otherwise: T, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof LedgerError) return otherwise;
    throw error;
  }
}

/** The id of the last match; 0 if there is none, or no ledger yet. */
async function lastMatch(books: Books): Promise<number> {
  const { matches } = await listMatches(books);
  return Math.max(0, ...matches.map(({ id }) => id ?? 0));
}

/**
 * Matches receipts, after the sync.
 *
 * @param before the id of the last match before the night: what the sync itself matched counts as the night's too
 * @returns null if the ledger has no receipts
 */
async function matchNight(books: Books, before: number): Promise<NightMatching | null> {
  if (!(await readBooks(books, { allCouriers: true }, hasReceipts))) return null;
  const { report } = await runMatching(books, { periods: null, dryRun: false });
  const matched = new Set(report.matches.flatMap(({ receipts }) => receipts));
  return {
    new: report.matches.filter(({ id }) => id !== null && id > before).length,
    matched: matched.size,
    unmatched: report.unmatched.receipts.length,
    ambiguous: report.ambiguous.length,
  };
}

/** The claims that were not answered within `dispute_days`; null if there are none. */
async function unansweredClaims(books: Books): Promise<Unanswered | null> {
  const found = await eachCourier(books, { readOnly: true }, async ({ db }, { config }) => ({
    config,
    claims: await readUnanswered(db),
    takenOff: await readSharesSent(db),
  }));
  // Every courier has these settings of the books alike.
  const { disputeDays: days, timeZone } = found[0]!.value.config;
  const today = dayNumber(dayIn(books.now(), timeZone));
  // Whole calendar days: a night that comes a minute early is the same night.
  const ages = found
    .flatMap(({ value }) => value.claims)
    .map(({ claim }) => ({ claim, age: today - dayNumber(dayIn(claim.at, timeZone)) }))
    .sort((a, b) => b.age - a.age);
  const late = ages.filter(({ age }) => age >= days);
  if (late.length === 0) return null;
  const lateClaims = new Set(late.map(({ claim }) => claim));
  const takenOff = found.flatMap(({ value }) => {
    const ids = new Set(value.claims.flatMap(({ claim }) => (lateClaims.has(claim) ? [claim.mismatch_id] : [])));
    return value.takenOff.filter(({ id }) => ids.has(id));
  });
  return {
    days,
    count: late.length,
    // A claim is negative where you are short; what was taken off it when it was sent is positive.
    effects: effectSums([
      ...late.map(({ claim }) => ({ currency: claim.currency, effect: claimedEffect(claim) })),
      ...takenOff.map(({ currency, amount }) => ({ currency, effect: formatUnits(amount) })),
    ]),
    oldest: dayIn(late[0]!.claim.at, timeZone),
    due: late.some(({ age }) => (age - days) % 7 === 0),
  };
}

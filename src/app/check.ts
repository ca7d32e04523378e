import type { Check, CheckSettings } from '../checks/check.ts';
import { CHECKS } from '../checks/index.ts';
import { needsOwnSide } from '../checks/requirement.ts';
import {
  type Bridge,
  type Coverage,
  type Incomplete,
  type CheckResult as LookedAt,
  type Part,
  runChecks,
  type Skipped,
} from '../checks/run.ts';
import { sayUncompared } from '../checks/say-uncompared.ts';
import type { Ledger, MismatchTable, Severity } from '../ledger/index.ts';
import { type LedgerReader, usingSnapshot } from '../ledger/read/index.ts';
import { readLastChange } from '../ledger/read/last-change.ts';
import { formatPeriod, requireSaneClock } from '../period.ts';
import { usingBooksAsOf } from './as-of.ts';
import type { Books } from './books.ts';
import { matchWhatIsNew } from './match/run.ts';
import { type Months, monthsOf } from './months.ts';
import { storeSettled } from './store-findings.ts';

export type { Bridge, Incomplete, Severity };

/** Whether a check compares with files of the merchant's own side, or a close: without them it is skipped, and that is no fault of a sync. */
export function isOfOwnSide(code: string): boolean {
  return CHECKS.some((check) => check.code === code && needsOwnSide(check));
}

/** Every check, in the order of the catalogue: its code, and in a sentence what it expects. */
export function listChecks(): readonly { readonly code: string; readonly title: string }[] {
  return CHECKS.map(({ code, title }) => ({ code, title }));
}

/** A mismatch as a check's result lists it. */
export type FoundMismatch = MismatchTable;

/** What `check --json` prints. */
export interface CheckResult {
  readonly period: string;
  /** How many mismatches are open, by severity; acknowledged ones are not counted. */
  readonly open: Readonly<Record<Severity, number>>;
  /** How many opened or reopened by this check, and how many the data no longer shows. */
  readonly new: number;
  readonly resolved: number;
  readonly skipped: readonly Skipped[];
  readonly incomplete: readonly Pick<Incomplete, 'period' | 'why'>[];
  /** Of these months, those of which nothing is wrong but that they were last read before they ended. */
  readonly early: readonly string[];
  readonly coverage: readonly Omit<Coverage, 'reasons'>[];
  readonly bridge: readonly Bridge[];
  /** By mismatch, where its effect stands in the bridge. Not printed. */
  readonly effects: ReadonlyMap<string, readonly Part[]>;
  /** Those that are open or acknowledged, the worst first. */
  readonly mismatches: readonly FoundMismatch[];
  /** What opened, reopened or was resolved by this check, the worst first. */
  readonly changed: readonly FoundMismatch[];
  /** Of these, the ids of what was settled and opened again. */
  readonly reopened: readonly string[];
  /** What could not be compared, as sentences. */
  readonly uncompared: readonly string[];
}

/** The least severity at which a mismatch counts as a failure. */
export type FailOn = 'error' | 'warning' | 'never';

export interface CheckRequest {
  /** The months, in order; null for every month that the ledger holds. */
  readonly periods: readonly string[] | null;
  /** The codes of the checks to run; all of them when absent or empty. */
  readonly only?: readonly string[] | undefined;
  /** What was known then, with the checks of today; null or absent for now. Nothing of it is kept. */
  readonly asOf?: Date | null | undefined;
  /** The catalogue; every check of remit when absent. */
  readonly checks?: readonly Check[] | undefined;
}

/**
 * Checks months of the books and stores what is found.
 *
 * @throws UsageError for a code that no check has; LedgerError when the ledger holds no month
 */
export function checkBooks(books: Books, request: CheckRequest): Promise<CheckResult> {
  return usingBooksAsOf(books, request.asOf ?? null, {}, (ledger, then) => checkLedger(ledger, then, request));
}

/** What the checks find in some months of a snapshot, for a report: nothing is matched before, and nothing is stored. */
export function lookAtMonths(
  db: LedgerReader,
  { config, now }: { readonly config: CheckSettings; readonly now: () => Date },
  periods: readonly string[],
): Promise<LookedAt> {
  return runChecks(db, { periods, settings: config, now: now() });
}

/** Another check or decision may come between the reading and the storing: then everything is read again. */
const MOST_TRIES = 5;

/** The same in a ledger that is open. Every use case that stores findings does it through this function. */
export async function checkLedger(
  ledger: Ledger,
  { config, now }: { readonly config: CheckSettings; readonly now: () => Date },
  { periods: asked, only = [], checks }: CheckRequest,
): Promise<CheckResult> {
  // Ages are computed from the clock, and what is found is kept.
  requireSaneClock(now());
  await matchWhatIsNew(ledger, { config, now });
  const { periods, period } = await monthsOf(ledger, asked);
  for (let attempt = 1; ; attempt += 1) {
    const at = now();
    const { looked, since } = await usingSnapshot(ledger, async (db) => ({
      since: await readLastChange(db),
      looked: await runChecks(db, { periods, settings: config, now: at, only, checks }),
    }));
    const isLast = attempt >= MOST_TRIES;
    const stored = await storeSettled(ledger, looked, { at, since: isLast ? null : since });
    if (stored) return resultOf(looked, { periods, period });
  }
}

function resultOf(looked: LookedAt, { periods, period }: Months): CheckResult {
  const { settled, coverage, skipped, incomplete, bridge, effects } = looked;
  // A known mismatch of another month is followed when its check sees it, and is none of what was asked for.
  // That of a closed month is shown all the same: nobody asks about one.
  const everywhere = new Set(CHECKS.filter((check) => check.everywhere).map(({ code }) => code));
  const shows = ({ code, months }: { readonly code: string; readonly months: readonly string[] }) =>
    everywhere.has(code) || months.some((month) => periods.includes(month));
  const standing = settled.standing.filter(shows).map(plain);
  const mismatches = standing.filter(({ status }) => status !== 'resolved').sort(byReading);
  const open = { error: 0, warning: 0, info: 0 };
  for (const { severity, status } of mismatches) if (status === 'open') open[severity] += 1;
  const opened = new Set([...settled.opened, ...settled.reopened].filter(shows).map(({ id }) => id));
  const changed = [...standing.filter(({ id }) => opened.has(id)), ...settled.gone.map(plain)].sort(byReading);
  return {
    period: period || formatPeriod(looked.periods),
    open,
    new: opened.size,
    resolved: settled.resolved.length,
    skipped,
    incomplete: incomplete.map(({ period: month, why }) => ({ period: month, why })),
    early: looked.periods.filter((month) => isEarly(incomplete, month)),
    coverage: coverage.map(({ reasons: _, ...line }) => line),
    bridge,
    effects,
    mismatches,
    changed,
    reopened: settled.reopened.map(({ id }) => id),
    uncompared: sayUncompared(coverage),
  };
}

function isEarly(incomplete: readonly Incomplete[], month: string): boolean {
  const own = incomplete.filter(({ period }) => period === month);
  return own.length > 0 && own.every((each) => each.isEarly);
}

/** The row as it is printed: what else is known of it stays behind. */
function plain({
  id,
  code,
  severity,
  period,
  subject,
  invoice_number,
  order_id,
  reference_id,
  currency,
  field,
  expected,
  actual,
  difference,
  unit,
  effect,
  message,
  status,
  note,
}: MismatchTable): MismatchTable {
  return {
    id,
    code,
    severity,
    period,
    subject,
    invoice_number,
    order_id,
    reference_id,
    currency,
    field,
    expected,
    actual,
    difference,
    unit,
    effect,
    message,
    status,
    note,
  };
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** The order in which people read mismatches: the worst first, then by month, invoice and order. */
function byReading(a: MismatchTable, b: MismatchTable): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compare(a.period, b.period) ||
    compare(a.invoice_number ?? Number.POSITIVE_INFINITY, b.invoice_number ?? Number.POSITIVE_INFINITY) ||
    compareLast(a.order_id, b.order_id) ||
    compare(a.code, b.code) ||
    compareLast(a.currency, b.currency) ||
    compareLast(a.field, b.field) ||
    compare(a.id, b.id)
  );
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Nothing comes last. */
function compareLast(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compare(a, b);
}

/** Whether an open mismatch is severe enough to count as a failure. */
export function isFailure({ open }: Pick<CheckResult, 'open'>, failOn: FailOn): boolean {
  if (failOn === 'never') return false;
  return open.error + (failOn === 'warning' ? open.warning : 0) > 0;
}

/** The exit code of a check: 3 for mismatches at or above `failOn`, else 1 where a month asked for is incomplete. */
export function exitCodeOf(result: Pick<CheckResult, 'open' | 'incomplete'>, failOn: FailOn): 0 | 1 | 3 {
  if (isFailure(result, failOn)) return 3;
  return result.incomplete.length > 0 ? 1 : 0;
}

import { formatPeriod, requireSaneClock } from '../base/period.ts';
import type { Sentence } from '../base/sentence.ts';
import { CHECKS } from '../checks/catalogue/index.ts';
import type { Check, CheckSettings } from '../checks/check.ts';
import { uncomparedIn } from '../checks/coverage.ts';
import { type ReturnsStanding, standingOf } from '../checks/facts/returns/standing.ts';
import { groupByCause } from '../checks/groups.ts';
import { withRemedy } from '../checks/remedy.ts';
import { needsOwnSide } from '../checks/requirement.ts';
import {
  type Bridge,
  type Coverage,
  type Incomplete,
  type CheckResult as LookedAt,
  type Part,
  runChecks,
} from '../checks/run.ts';
import type { SharedFacts } from '../checks/shared-facts.ts';
import { countStanding } from '../checks/standing.ts';
import {
  courierOf,
  type ImportedKind,
  type Ledger,
  type MismatchTable,
  ofCourier,
  readHead,
  type Severity,
} from '../ledger/index.ts';
import { readLastChange } from '../ledger/queries/findings/history.ts';
import { type LedgerReader, usingSnapshot } from '../ledger/queries/index.ts';
import { say } from '../words/index.ts';
import { matchWhatIsNew } from './match/run.ts';
import { type Months, monthsOf } from './months.ts';
import { storeChanges } from './store-findings.ts';

export type { Bridge, Incomplete, Severity };

/** Whether a check needs your own files or a close: without them it is skipped, which is no fault of a sync. */
export function isOfOwnSide(code: string): boolean {
  return CHECKS.some((check) => check.code === code && needsOwnSide(check));
}

/** Every check, in the order of the catalogue: its code, and in a sentence what it expects. */
export function listChecks(): readonly { readonly code: string; readonly title: string }[] {
  return CHECKS.map(({ code, title }) => ({ code, title: title.en }));
}

/** A mismatch as a check's result lists it. */
export type FoundMismatch = Omit<MismatchTable, 'sentence'> & {
  /** What lies behind it: the same text for all of one group. */
  readonly cause: string;
} & OfCourier;

/** Mismatches of one check with one cause, in one currency: see checks/groups.ts. */
export interface FoundGroup extends OfCourier {
  readonly code: string;
  readonly severity: Severity;
  readonly cause: string;
  readonly count: number;
  readonly currency: string | null;
  /** What is at stake together; null where nothing is known. */
  readonly amount: string | null;
  readonly ids: readonly string[];
}

/** The name of the courier that a line is about. */
export interface OfCourier {
  readonly courier?: string;
}

/** What `check --json` prints. */
export interface CheckResult {
  readonly period: string;
  /** How many mismatches are open, by severity; acknowledged ones are not counted. */
  readonly open: Readonly<Record<Severity, number>>;
  /** How many opened or reopened by this check, and how many the data no longer shows. */
  readonly new: number;
  readonly resolved: number;
  readonly skipped: readonly (OfCourier & { readonly code: string; readonly why: string })[];
  readonly incomplete: readonly (OfCourier & { readonly period: string; readonly why: string })[];
  /** Of these months, those of which nothing is wrong but that they were last looked at before they ended. */
  readonly early: readonly string[];
  readonly coverage: readonly (OfCourier & Omit<Coverage, 'reasons'>)[];
  readonly bridge: readonly (Bridge & { readonly courier_name?: string })[];
  /** Where each mismatch's effect is in the bridge, by mismatch. Not printed. */
  readonly effects: ReadonlyMap<string, readonly Part[]>;
  /** How the courier's invoices show RETURN orders, and why. Not printed. */
  readonly returns: ReturnsStanding;
  /** Those that are open or acknowledged, by their causes: the most money first, a currency after the other. */
  readonly groups: readonly FoundGroup[];
  /** Those that are open or acknowledged, the worst first. */
  readonly mismatches: readonly FoundMismatch[];
  /** What opened, reopened or was resolved by this check, the worst first. */
  readonly changed: readonly FoundMismatch[];
  /** The same by their causes; what was resolved apart. */
  readonly changedGroups: { readonly shown: readonly FoundGroup[]; readonly resolved: readonly FoundGroup[] };
  /** The ids of those that were settled and opened again. */
  readonly reopened: readonly string[];
  /** What could not be compared, as sentences. */
  readonly uncompared: readonly string[];
  /** The same reasons before they are said, for a statement in any language. Not printed. */
  readonly reasons: CheckReasons;
  /** The results of each courier, where there are several. Not printed. */
  readonly parts?: readonly { readonly courier: string; readonly result: CheckResult }[];
}

/** Why a month is incomplete; of several couriers with the name of the one. */
export type LackingMonth = Incomplete & { readonly courier?: string };

/** Why checks were skipped, months are incomplete, something could not be compared, and what lies behind mismatches. */
export interface CheckReasons {
  readonly skipped: readonly { readonly code: string; readonly why: Sentence }[];
  readonly incomplete: readonly { readonly period: string; readonly why: Sentence }[];
  readonly uncompared: readonly Sentence[];
  /** The cause of each of the groups. */
  readonly causes: readonly Sentence[];
  /** Why months are incomplete, each with the commands that mend it. */
  readonly lacking: readonly LackingMonth[];
}

/** The least severity at which a mismatch counts as a failure. */
export type FailOn = 'error' | 'warning' | 'never';

export interface CheckRequest {
  /** The months, in order; null for every month that the ledger holds. */
  readonly periods: readonly string[] | null;
  /** Whether the months are all that the books hold; so it is where none is asked for. */
  readonly isWhole?: boolean | undefined;
  /** The codes of the checks to run; all of them when absent or empty. */
  readonly only?: readonly string[] | undefined;
  /** The instant whose knowledge is checked, with today's checks; null or absent for now. Nothing of a past check is kept. */
  readonly asOf?: Date | null | undefined;
  /** The catalogue; every check of remit when absent. */
  readonly checks?: readonly Check[] | undefined;
  /** The kind of the import that was just taken back: what rested on it alone is resolved with that reason. */
  readonly undone?: ImportedKind | undefined;
}

/** What the checks find in some months of a snapshot, for a report: nothing is matched before, and nothing is stored. */
export function lookAtMonths(
  db: LedgerReader,
  { config, now }: Surroundings,
  periods: readonly string[],
): Promise<LookedAt> {
  return runChecks(db, { periods, settings: config, now: now() });
}

/** A month that was checked. */
export interface CheckedMonth {
  readonly result: CheckResult;
  /** What the checks read of it; null where several months were checked, because what they read would all be held at once. */
  readonly facts: SharedFacts | null;
}

/** The same of one month in a snapshot. */
export async function lookIn(db: LedgerReader, surroundings: Surroundings, month: string): Promise<CheckedMonth> {
  const looked = await lookAtMonths(db, surroundings, [month]);
  return { result: resultOf(looked, { periods: [month], period: month, isWhole: false }), facts: looked.facts };
}

/** If others write between reading and storing, everything is read again, at most this many times. */
const MOST_TRIES = 5;

/** How often months are checked again when others write meanwhile. */
const SNAPSHOT_TRIES = 3;

interface Surroundings {
  readonly config: CheckSettings;
  readonly now: () => Date;
}

/** The same in a ledger that is open. */
export async function checkLedger(
  ledger: Ledger,
  surroundings: Surroundings,
  request: CheckRequest,
): Promise<CheckResult> {
  return (await checkAndStore(ledger, surroundings, request)).result;
}

/** What a check found and read, and the head of the chain `before` it looked and `after` its findings were stored. */
interface Checked {
  readonly result: CheckResult;
  readonly facts: SharedFacts;
  readonly before: string | null;
  /** Null where others wrote while it looked. */
  readonly after: string | null;
}

/** Every use case that stores findings does it through this function. */
async function checkAndStore(
  ledger: Ledger,
  { config, now }: Surroundings,
  { periods: asked, isWhole = asked === null, only = [], checks, undone }: CheckRequest,
): Promise<Checked> {
  // Ages are computed from the clock, and findings are kept.
  requireSaneClock(now());
  await matchWhatIsNew(ledger, { config, now });
  const { periods, period } = await monthsOf(ledger, asked);
  for (let attempt = 1; ; attempt += 1) {
    const at = now();
    const { looked, since, before } = await usingSnapshot(ledger, async (db) => ({
      before: await readHead(db),
      since: await readLastChange(db),
      looked: await runChecks(db, { periods, settings: config, now: at, only, checks, undone }),
    }));
    const isLast = attempt >= MOST_TRIES;
    const stored = await storeChanges(ledger, looked, { at, since: isLast ? null : since });
    if (!stored) continue;
    const after = stored.before === before ? stored.after : null;
    return { result: resultOf(looked, { periods, period, isWhole }), facts: looked.facts, before, after };
  }
}

/**
 * Checks months, and lends a snapshot of the ledger in the state that was checked. If others write meanwhile, the months are checked
 * again; if they do not stop writing, such as a sync, the months are checked in the snapshot itself.
 *
 * @param use is given what was found in each month
 */
export function usingChecked<T>(
  ledger: Ledger,
  surroundings: Surroundings,
  months: readonly string[],
  use: (db: LedgerReader, checked: ReadonlyMap<string, CheckedMonth>) => Promise<T>,
): Promise<T> {
  return usingAllChecked(ledger, [{ ledger, surroundings }], months, (db, [checked]) => use(db, checked!));
}

/** The same of several couriers: one state of the ledger, in which each of them was checked. @param use is given what was found at each */
export async function usingAllChecked<T>(
  whole: Ledger,
  couriers: readonly { readonly ledger: Ledger; readonly surroundings: Surroundings }[],
  months: readonly string[],
  use: (db: LedgerReader, checked: readonly ReadonlyMap<string, CheckedMonth>[]) => Promise<T>,
): Promise<T> {
  const isOne = couriers.length * months.length === 1;
  for (let attempt = 1; ; attempt += 1) {
    const all: Map<string, CheckedMonth>[] = [];
    let head: string | null | undefined;
    let isOneState = true;
    for (const { ledger, surroundings } of couriers) {
      const checked = new Map<string, CheckedMonth>();
      all.push(checked);
      for (const month of months) {
        const { result, facts, before, after } = await checkAndStore(ledger, surroundings, { periods: [month] });
        if (after === null || (head !== undefined && before !== head)) isOneState = false;
        head = after;
        checked.set(month, { result, facts: isOne ? facts : null });
      }
    }
    const isLast = attempt >= SNAPSHOT_TRIES;
    const done = await usingSnapshot(whole, async (db) => {
      if (isOneState && (head === undefined || (await readHead(db)) === head)) return { value: await use(db, all) };
      if (!isLast) return null;
      for (const [at, { ledger, surroundings }] of couriers.entries()) {
        const key = courierOf(ledger.db);
        const own = key === null ? db : ofCourier(db, key);
        for (const month of months) {
          const { result, facts } = await lookIn(own, surroundings, month);
          all[at]!.set(month, { result, facts: isOne ? facts : null });
        }
      }
      return { value: await use(db, all) };
    });
    if (done) return done.value;
  }
}

/** What a look gives, as it is printed. @param months what was asked for; `isWhole`: all that the books hold */
export function resultOf(
  looked: LookedAt,
  { periods, period, isWhole }: Months & { readonly isWhole: boolean },
): CheckResult {
  const { changes, coverage, skipped, incomplete, bridge, effects, returns } = looked;
  // A known mismatch of another month is followed when its check sees it, and is none of what was asked for.
  // Who asks for all is shown those of closed months too, which the books may hold no list of.
  const everywhere = new Set(CHECKS.filter((check) => check.everywhere).map(({ code }) => code));
  const shows = ({ code, months }: { readonly code: string; readonly months: readonly string[] }) =>
    (isWhole && everywhere.has(code)) || months.some((month) => periods.includes(month));
  const standing = changes.standing.filter(shows);
  const unresolved = grouped(standing.filter(({ status }) => status !== 'resolved'));
  const { mismatches } = unresolved;
  const reasons: CheckReasons = {
    skipped,
    incomplete: incomplete.map((each) => ({ period: each.period, why: withRemedy(each) })),
    uncompared: uncomparedIn(coverage),
    causes: unresolved.causes,
    lacking: incomplete,
  };
  const { error, warning, info } = countStanding(mismatches);
  const open = { error: error.open, warning: warning.open, info: info.open };
  const opened = new Set([...changes.opened, ...changes.reopened].filter(shows).map(({ id }) => id));
  const news = grouped(standing.filter(({ id }) => opened.has(id)));
  const over = grouped(changes.gone);
  return {
    period: period || formatPeriod(looked.periods),
    open,
    new: opened.size,
    resolved: changes.resolved.length,
    skipped: reasons.skipped.map(({ code, why }) => ({ code, why: say(why) })),
    incomplete: reasons.incomplete.map(({ period: month, why }) => ({ period: month, why: say(why) })),
    early: looked.periods.filter((month) => isEarly(incomplete, month)),
    coverage: coverage.map(({ reasons: _, ...line }) => line),
    bridge,
    effects,
    returns: standingOf(returns),
    groups: unresolved.groups,
    mismatches,
    changed: [...news.mismatches, ...over.mismatches].sort(byReading),
    changedGroups: { shown: news.groups, resolved: over.groups },
    reopened: changes.reopened.map(({ id }) => id),
    uncompared: reasons.uncompared.map(say),
    reasons,
  };
}

function isEarly(incomplete: readonly Incomplete[], month: string): boolean {
  const own = incomplete.filter(({ period }) => period === month);
  return own.length > 0 && own.every((each) => each.isEarly);
}

/** Findings as they are printed, the worst first, and by their causes. */
export function grouped(findings: readonly Omit<MismatchTable, 'message'>[]) {
  const groups = groupByCause(findings).map(({ findings: own, code, severity, cause, count, currency, amount }) => {
    const ids = own.map(({ id }) => id);
    const group: FoundGroup = { code, severity, cause: say(cause), count, currency, amount, ids };
    return { own, group, cause };
  });
  return {
    groups: groups.map(({ group }) => group),
    causes: groups.map(({ cause }) => cause),
    mismatches: groups.flatMap(({ own, group }) => own.map((one) => plain(one, group.cause))).sort(byReading),
  };
}

/** The row as it is printed. */
function plain(
  {
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
    amount,
    sentence,
    status,
    note,
  }: Omit<MismatchTable, 'message'>,
  cause: string,
): FoundMismatch {
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
    amount,
    cause,
    message: say(JSON.parse(sentence)),
    status,
    note,
  };
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** The order in which people read mismatches: the worst first, then by month, invoice and order. */
export function byReading(a: FoundMismatch, b: FoundMismatch): number {
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
export function checkExitCode(result: Pick<CheckResult, 'open' | 'incomplete'>, failOn: FailOn): 0 | 1 | 3 {
  if (isFailure(result, failOn)) return 3;
  return result.incomplete.length > 0 ? 1 : 0;
}

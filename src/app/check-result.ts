import { inNumberTexts, type NumberTexts, numberText, textInNumberTexts } from '../base/number-texts.ts';
import { formatPeriod } from '../base/period.ts';
import type { Sentence } from '../base/sentence.ts';
import { compareNullLast, compareText } from '../base/text.ts';
import type { Bridge } from '../checks/bridge/index.ts';
import { CHECKS } from '../checks/catalogue/index.ts';
import type { EffectPart } from '../checks/check.ts';
import { type ReturnsStanding, standingOf } from '../checks/facts/returns/convention.ts';
import { countUnresolved, type Group, groupByCause } from '../checks/groups.ts';
import { type Coverage, type Incomplete, uncomparedIn } from '../checks/incomplete.ts';
import { withRemedy } from '../checks/requirement.ts';
import type { OrderBookDay, OrderBookDaySentence, RunResult, SkippedCheck } from '../checks/run.ts';
import type { MismatchTable, Severity } from '../ledger/index.ts';
import { say } from '../words/index.ts';
import type { Months } from './couriers.ts';
import type { WithNumberText } from './mismatches/in-number-texts.ts';

export type { Bridge, Incomplete, Severity };

export type FoundMismatch = Omit<MismatchTable, 'sentence'> & {
  /** What lies behind it: the same text for all of one group. */
  readonly cause: string;
} & NamedCourier &
  WithNumberText;

/** Mismatches of one check with one cause, in one currency: see checks/groups.ts. */
export interface FoundGroup extends NamedCourier, Omit<Group, 'cause' | 'findings'> {
  readonly cause: string;
  readonly ids: readonly string[];
}

/** The name of the courier that a line is about; absent in the result of one courier's check. */
export interface NamedCourier {
  readonly courier?: string;
}

/** The result of a check. `check --json` prints it, except for the fields that are marked as not printed. */
export interface CheckResult {
  readonly period: string;
  /** The months that were asked for. Not printed. */
  readonly months: readonly string[];
  /** How many mismatches are open, by severity; acknowledged ones are not counted. */
  readonly open: Readonly<Record<Severity, number>>;
  /** How many opened or reopened by this check, and how many the data no longer shows. */
  readonly new: number;
  readonly resolved: number;
  readonly skipped: readonly (NamedCourier & { readonly code: string; readonly why: string })[];
  readonly incomplete: readonly (NamedCourier & { readonly period: string; readonly why: string })[];
  /** The incomplete months whose only fault is that they were last synced before they ended. Not printed. */
  readonly early: readonly string[];
  readonly coverage: readonly (NamedCourier & Omit<Coverage, 'reasons'>)[];
  /** The day of each courier's order book; none for a courier that sends settlement sheets. */
  readonly order_book: readonly ({ readonly courier: string } & Omit<OrderBookDay, 'whole_on'>)[];
  readonly bridge: readonly (Bridge & { readonly courier_name?: string })[];
  /** Where each mismatch's effect is in the bridge, by mismatch. Not printed. */
  readonly effects: ReadonlyMap<string, readonly EffectPart[]>;
  /** How the courier's invoices show RETURN orders, and why; of several couriers the first one's. Not printed. */
  readonly returns: ReturnsStanding;
  /** The open and acknowledged mismatches by cause: currency by currency, in each the most money first. */
  readonly groups: readonly FoundGroup[];
  /** The open and acknowledged mismatches, the worst first. */
  readonly mismatches: readonly FoundMismatch[];
  /** What opened, reopened or was resolved by this check, the worst first. */
  readonly changed: readonly FoundMismatch[];
  /** The mismatches of `changed` by cause: opened or reopened ones, and resolved ones. */
  readonly changedGroups: { readonly shown: readonly FoundGroup[]; readonly resolved: readonly FoundGroup[] };
  /** The ids of mismatches that were settled and opened again. Not printed. */
  readonly reopened: readonly string[];
  /** What could not be compared, in English. Not printed. */
  readonly uncompared: readonly string[];
  /** The reasons as sentences by id, for a statement in any language. Not printed. */
  readonly reasons: CheckReasons;
  /** The results of each courier, where there are several. Not printed. */
  readonly parts?: readonly CourierResult[];
}

/** The result of one courier's check. */
export interface CourierResult {
  readonly courier: string;
  readonly result: CheckResult;
}

/** Why a month is incomplete; in the joined result of all couriers with the courier's name. */
export type LackingMonth = Incomplete & NamedCourier;

/** Why checks were skipped, months are incomplete, something could not be compared, and what lies behind mismatches. */
interface CheckReasons {
  readonly skipped: readonly SkippedCheck[];
  readonly incomplete: readonly { readonly period: string; readonly why: Sentence }[];
  readonly uncompared: readonly Sentence[];
  /** The cause of each of the groups. */
  readonly causes: readonly Sentence[];
  /** Why months are incomplete, each with the commands that mend it. */
  readonly lacking: readonly LackingMonth[];
}

/** The least severity at which a mismatch counts as a failure. */
export type FailOn = 'error' | 'warning' | 'never';

/** The result of running the checks, as it is printed. `isWhole`: all months of the books were asked for. */
export function resultOf(
  run: RunResult,
  { periods, period, isWhole, courier }: Months & { readonly isWhole: boolean; readonly courier: string },
  texts: NumberTexts,
): CheckResult {
  const { changes, coverage, skipped, incomplete, bridge, effects, returns, orderBook } = run;
  // Checks also follow known mismatches of months that nobody asked for: those are left out. But where all months are
  // asked for, those of the checks `everywhere` count in any month: closed ones too, which `periods` may lack.
  const codesOfAllMonths = new Set(CHECKS.filter((check) => check.everywhere).map(({ code }) => code));
  const isAskedFor = ({ code, months }: { readonly code: string; readonly months: readonly string[] }) =>
    (isWhole && codesOfAllMonths.has(code)) || months.some((month) => periods.includes(month));
  const askedFor = changes.current.filter(isAskedFor);
  const openOrAcknowledged = askedFor.filter(({ status }) => status !== 'resolved');
  const { mismatches, groups, causes } = groupFindings(openOrAcknowledged, texts);
  const withRemedies = incomplete.map((each) => ({ period: each.period, why: withRemedy(each) }));
  const reasons: CheckReasons = {
    skipped: inNumberTexts(skipped, texts),
    incomplete: inNumberTexts(withRemedies, texts),
    uncompared: inNumberTexts([...bookDaySentences(orderBook), ...uncomparedIn(coverage)], texts),
    causes,
    lacking: inNumberTexts(incomplete, texts),
  };
  const { error, warning, info } = countUnresolved(mismatches);
  const open = { error: error.open, warning: warning.open, info: info.open };
  // What was opened, as it is now.
  const opened = new Set([...changes.opened, ...changes.reopened].filter(isAskedFor).map(({ id }) => id));
  const foundNow = askedFor.filter(({ id }) => opened.has(id));
  const newlyOpen = groupFindings(foundNow, texts);
  const resolved = groupFindings(changes.nowResolved, texts);
  return {
    period: period || formatPeriod(run.periods),
    months: periods,
    open,
    new: opened.size,
    resolved: changes.resolved.length,
    skipped: reasons.skipped.map(({ code, why }) => ({ code, why: say(why) })),
    incomplete: reasons.incomplete.map(({ period: month, why }) => ({ period: month, why: say(why) })),
    early: run.periods.filter((month) => isEarly(incomplete, month)),
    coverage: coverage.map(({ reasons: _, ...line }) => line),
    order_book: orderBook ? [{ courier, as_of: orderBook.as_of, full: orderBook.full }] : [],
    bridge,
    effects,
    returns: standingOf(returns),
    groups,
    mismatches,
    changed: [...newlyOpen.mismatches, ...resolved.mismatches].sort(worstFirst),
    changedGroups: { shown: newlyOpen.groups, resolved: resolved.groups },
    reopened: changes.reopened.map(({ id }) => id),
    uncompared: reasons.uncompared.map(say),
    reasons,
  };
}

function bookDaySentences(book: OrderBookDay | null): OrderBookDaySentence[] {
  if (!book || book.full || book.as_of === null || book.whole_on === null) return [];
  return [{ id: 'order-book-of-day', on: book.as_of, whole: book.whole_on }];
}

function isEarly(incomplete: readonly Incomplete[], month: string): boolean {
  const ofMonth = incomplete.filter(({ period }) => period === month);
  return ofMonth.length > 0 && ofMonth.every((each) => each.isEarly);
}

/** Findings as they are printed: grouped by cause, and one by one, the worst first. */
export function groupFindings(findings: readonly Omit<MismatchTable, 'message'>[], texts: NumberTexts) {
  const groups = groupByCause(findings).map(({ findings: members, ...found }) => {
    const { code, severity, count, currency, amount } = found;
    const cause = inNumberTexts(found.cause, texts);
    const ids = members.map(({ id }) => id);
    const group: FoundGroup = { code, severity, cause: say(cause), count, currency, amount, ids };
    return { members, group, cause };
  });
  return {
    groups: groups.map(({ group }) => group),
    causes: groups.map(({ cause }) => cause),
    mismatches: groups
      .flatMap(({ members, group }) => members.map((one) => printed(one, group.cause, texts)))
      .sort(worstFirst),
  };
}

function printed(found: Omit<MismatchTable, 'message'>, cause: string, texts: NumberTexts): FoundMismatch {
  return {
    id: found.id,
    code: found.code,
    severity: found.severity,
    period: found.period,
    subject: textInNumberTexts(found.subject, texts),
    invoice_number: found.invoice_number,
    invoice_number_text: numberText(found.invoice_number, texts),
    order_id: found.order_id,
    reference_id: found.reference_id,
    currency: found.currency,
    field: found.field,
    expected: found.expected,
    actual: found.actual,
    difference: found.difference,
    unit: found.unit,
    effect: found.effect,
    amount: found.amount,
    cause,
    message: say(inNumberTexts(JSON.parse(found.sentence), texts)),
    status: found.status,
    note: found.note,
  };
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** The order in which people read mismatches: the worst first, then by month, invoice and order. */
export function worstFirst(a: FoundMismatch, b: FoundMismatch): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    compareText(a.period, b.period) ||
    compareNumbers(a.invoice_number, b.invoice_number) ||
    compareNullLast(a.order_id, b.order_id) ||
    compareText(a.code, b.code) ||
    compareNullLast(a.currency, b.currency) ||
    compareNullLast(a.field, b.field) ||
    compareText(a.id, b.id)
  );
}

function compareNumbers(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return a - b;
}

export function isFailure({ open }: Pick<CheckResult, 'open'>, failOn: FailOn): boolean {
  if (failOn === 'never') return false;
  return open.error + (failOn === 'warning' ? open.warning : 0) > 0;
}

/** The exit code of a check: 3 for mismatches at or above `failOn`, else 1 where a month asked for is incomplete. */
export function checkExitCode(result: Pick<CheckResult, 'open' | 'incomplete'>, failOn: FailOn): 0 | 1 | 3 {
  if (isFailure(result, failOn)) return 3;
  return result.incomplete.length > 0 ? 1 : 0;
}

/** What `check --json` prints of a result. @param onlyNew what opened, reopened or was resolved, and nothing else */
export function checkJson(result: CheckResult, { onlyNew = false } = {}) {
  const { changed, changedGroups, mismatches, groups, ...others } = result;
  const {
    uncompared: _,
    reasons: _reasons,
    effects: _effects,
    returns: _returns,
    reopened: _ids,
    early: _early,
    months: _months,
    parts: _parts,
    ...printedFields
  } = others;
  const shown = onlyNew ? changed : mismatches;
  const causes = onlyNew ? [...changedGroups.shown, ...changedGroups.resolved] : groups;
  return { ...printedFields, groups: causes, mismatches: shown.map(({ note: _note, ...mismatch }) => mismatch) };
}

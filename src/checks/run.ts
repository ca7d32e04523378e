import { createHash } from 'node:crypto';
import { dayIn } from '../base/day.ts';
import { UsageError } from '../base/errors.ts';
import { formatPeriod } from '../base/period.ts';
import type { Sentence } from '../base/sentence.ts';
import { inChunks } from '../ledger/chunks.ts';
import { readStoredMismatches, type StoredMismatch } from '../ledger/queries/findings/mismatches.ts';
import { readMonthsOfInvoices } from '../ledger/queries/invoices/invoices.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import { readBookState } from '../ledger/queries/sync/walks.ts';
import { REMIT } from '../ledger/schema/findings.ts';
import type { ImportedKind } from '../ledger/schema.ts';
import type { FoundRecord } from '../ledger/write/mismatches.ts';
import { buildBridge } from './bridge/index.ts';
import { CHECKS } from './catalogue/index.ts';
import {
  type Check,
  type CheckContext,
  type CheckCoverage,
  type CheckSettings,
  type Finding,
  SharedFacts,
} from './check.ts';
import { returnsOf } from './facts/returns/convention.ts';
import { readSources } from './facts/sources.ts';
import { type Coverage, findIncomplete, findNotCompared, type Incomplete } from './incomplete.ts';
import { changesOf, type Reach, type Scope } from './mismatch-changes.ts';
import { hasOnlySheets, needsFilesOf, unmetOf, withRemedy } from './requirement.ts';

/** A check that did not run, and why: silence must never read as 'all is well'. */
export interface SkippedCheck {
  readonly code: string;
  readonly why: Sentence;
  /** The kind of file that must be imported for it, such as `receipts`; null if no file helps. */
  readonly file: string | null;
}

export interface OrderBookDay {
  /** The day on which it was last read; null if it was never read whole. */
  readonly as_of: string | null;
  /** Whether all of it was read on that day, and not only the orders that may still have changed. */
  readonly full: boolean;
  /** The day on which all of it was last read. */
  readonly whole_on: string | null;
}

/** The age of an order book that was not read whole the last time. */
export type OrderBookDaySentence = { id: 'order-book-of-day'; on: string; whole: string };

export interface CheckOptions {
  readonly periods: readonly string[];
  /** The codes of the checks to run; all of them when absent or empty. */
  readonly only?: readonly string[];
  /** The catalogue; every check of remit when absent. */
  readonly checks?: readonly Check[] | undefined;
  readonly settings: CheckSettings;
  readonly now: Date;
  /** The kind of import that was just taken back: what rested on it is resolved. All months are asked for then. */
  readonly undone?: ImportedKind | undefined;
}

/** What the checks found in some months, what that changes, and what they could not check. Nothing is stored yet. */
export type RunResult = Awaited<ReturnType<typeof runChecks>>;

/**
 * Runs the checks over some months. It only reads: call it in one snapshot.
 *
 * @throws UsageError for a code that no check has
 */
export async function runChecks(db: LedgerReader, options: CheckOptions) {
  const { periods: asked, settings, now } = options;
  const isOneCourier = (settings.others ?? []).length === 0;
  const sources = await readSources(db);
  const checks = selectChecks(options.checks ?? CHECKS, options.only ?? []).filter(
    ({ comparesCouriers, needsWebhooks }) =>
      !(comparesCouriers && isOneCourier) && !(needsWebhooks && !sources.hasWebhooks),
  );
  const synced = new Set(sources.months.map(({ period }) => period));
  const periods = asked.filter((period) => synced.has(period));
  const context: CheckContext = { db, periods, settings, now, sources, facts: new SharedFacts() };

  const { checksRun, found, coverage, skipped, codesUndone } = await runEach(checks, context, options);

  const notComparable = coverage.flatMap(({ reasons }) => reasons);
  const incomplete: Incomplete[] = [
    ...(await findIncomplete(db, asked, sources, settings)),
    ...(await findNotCompared(context, notComparable)),
  ].sort((a, b) => asked.indexOf(a.period) - asked.indexOf(b.period));

  const codes = checksRun.map(({ code }) => code);
  const everywhere = checksRun.filter((check) => check.everywhere).map(({ code }) => code);
  // `everywhere`: the codes whose mismatches of all months are read.
  const stored = await readStoredMismatches(db, {
    periods: asked,
    codes: [...codes, ...codesUndone],
    everywhere: [...everywhere, ...codesUndone],
    ids: found.map(({ record }) => record.id),
  });
  const storedIds = new Set(stored.map(({ id }) => id));
  // A finding of a month that was not asked for only serves to follow a mismatch that is in the ledger already.
  const reported = found.filter(
    ({ record }) => storedIds.has(record.id) || everywhere.includes(record.code) || isAnyOf(record.months, asked),
  );
  const records = reported.map(({ record }) => record);
  const foundIds = new Set(records.map(({ id }) => id));
  const gone = stored.filter(({ id, resolved_by }) => !foundIds.has(id) && resolved_by !== REMIT);
  const changes = changesOf(stored, records, await scopeOf(context, asked, checksRun, gone, codesUndone));
  const resolved = new Set(changes.current.filter(({ status }) => status === 'resolved').map(({ id }) => id));
  const bridgeParts = reported.map(({ record: { id, code }, finding: { currency, parts } }) => {
    return { code, currency, parts, isResolved: resolved.has(id) };
  });
  return {
    period: formatPeriod(asked),
    /** The months that were checked: those asked for that were ever synced. */
    periods,
    /** The codes of the checks that ran. */
    codes,
    /** Everything that the data shows. */
    findings: records,
    /** By mismatch id, how its effect is spread over the bridges of the months. */
    effects: new Map(reported.map(({ record, finding }) => [record.id, finding.parts])),
    changes,
    skipped,
    incomplete,
    coverage,
    bridge: await buildBridge(context, checksRun, bridgeParts),
    /** How old the courier's order book is; null for a courier that has none. */
    orderBook: await orderBookOf(context),
    /** How the courier's invoices show RETURN orders, and why. */
    returns: await returnsOf(context),
    /** What the checks read of these months: good for whoever goes on reading in the same snapshot. */
    facts: context.facts,
  };
}

/** What the checks that can run find, and why the others cannot run. */
async function runEach(checks: readonly Check[], context: CheckContext, { periods: asked, undone }: CheckOptions) {
  const checksRun: Check[] = [];
  const found: { readonly record: FoundRecord; readonly finding: Finding }[] = [];
  const coverage: Coverage[] = [];
  const skipped: SkippedCheck[] = [];
  /** The checks whose files were taken back or never imported: what they no longer find is resolved. */
  const codesUndone: string[] = [];
  const hasMonths = context.periods.length > 0;
  // Without a sheet in force there are no months: all that was found rested on the sheets that were taken back.
  if (!hasMonths && undone === 'settlement') codesUndone.push(...checks.map(({ code }) => code));
  for (const check of hasMonths ? checks : []) {
    const { code } = check;
    const lacking = unmetOf(check, context.sources);
    if (lacking) {
      const file = lacking.requirement.file ?? null;
      skipped.push({ code, why: withRemedy(lacking), file });
      if (file !== null) codesUndone.push(code);
      continue;
    }
    const { findings, ...extent } = await check.find(context);
    checksRun.push(check);
    if (undone && needsFilesOf(check, undone)) codesUndone.push(code);
    coverage.push(coverageOf(check, findings, extent, check.everywhere ? null : asked));
    const file = check.requires.find((requirement) => requirement.file)?.file ?? null;
    for (const leftOut of extent.leftOut ?? []) skipped.push({ code, why: withRemedy(leftOut), file });
    for (const finding of findings) found.push({ record: recordOf(check, finding), finding });
  }
  return { checksRun, found, coverage, skipped, codesUndone };
}

/** What a check compared and found. @param periods the months whose findings count; null for all */
function coverageOf(
  { code }: Check,
  findings: readonly Finding[],
  { compared, notComparable = [] }: CheckCoverage,
  periods: readonly string[] | null,
): Coverage {
  const reasons = notComparable.filter(({ count }) => count > 0);
  const not_comparable = reasons.reduce((sum, { count }) => sum + count, 0);
  const found = findings.filter(
    (finding) => periods === null || isAnyOf([finding.period, ...finding.periods], periods),
  );
  return { code, compared, not_comparable, found: found.length, reasons };
}

function isAnyOf(months: readonly string[], periods: readonly string[]): boolean {
  return months.some((month) => periods.includes(month));
}

/** The order book's age; null for a courier that sends settlement sheets, which shows no order book. */
async function orderBookOf({ db, settings, sources }: CheckContext): Promise<OrderBookDay | null> {
  if (settings.kind === 'files' || hasOnlySheets(sources)) return null;
  const { whole, refreshedAt } = await readBookState(db);
  const dayOf = (at: string | null) => at && dayIn(at, settings.timeZone);
  if (whole === null) return { as_of: null, full: false, whole_on: null };
  const full = refreshedAt === null || refreshedAt <= whole.at;
  return { as_of: dayOf(full ? whole.at : refreshedAt), full, whole_on: dayOf(whole.at) };
}

function selectChecks(all: readonly Check[], only: readonly string[]): readonly Check[] {
  const codes = all.map(({ code }) => code);
  const unknown = only.find((code) => !codes.includes(code));
  if (unknown !== undefined) {
    throw new UsageError(
      `there is no check ${JSON.stringify(unknown.slice(0, 60))}`,
      `The checks are ${codes.join(', ')}.`,
    );
  }
  return only.length === 0 ? all : all.filter(({ code }) => only.includes(code));
}

function recordOf(check: Check, finding: Finding): FoundRecord {
  const { severity = check.severity, periods, place: _, parts: __, sentence, ...fields } = finding;
  const id = identityOf(check.code, finding);
  const months = [...new Set([finding.period, ...periods])].sort();
  return { ...fields, sentence: JSON.stringify(sentence), id, code: check.code, severity, months };
}

/**
 * Says for each mismatch that was not found again (`gone`) whether this run could have found it.
 *
 * @param asked the months that were asked for, synced or not
 * @param codesUndone see {@link runEach}
 */
async function scopeOf(
  context: CheckContext,
  asked: readonly string[],
  checks: readonly Check[],
  gone: readonly StoredMismatch[],
  codesUndone: readonly string[],
): Promise<Scope> {
  const unseen = new Set<string>();
  for (const check of checks) {
    const ofCheck = gone.filter(({ code }) => code === check.code);
    if (ofCheck.length === 0 || !check.unseen) continue;
    const isUnseen = await check.unseen(context, ofCheck);
    for (const { id } of ofCheck.filter(isUnseen)) unseen.add(id);
  }
  const invoicesElsewhere = await invoicesOfOtherMonths(context, gone);
  const checkOf = new Map(checks.map((check) => [check.code, check]));
  return {
    reachOf({ id, code, months, invoice_number }: StoredMismatch): Reach {
      if (checkOf.get(code)?.everywhere) return 'seen';
      if (codesUndone.includes(code)) return unseen.has(id) ? 'unseen' : 'undone';
      // A finding about the order book is in the month of the run that read it, which need not be synced itself.
      const isWithin = months.every((month) => asked.includes(month));
      if (!isWithin || invoicesElsewhere.has(invoice_number)) return 'outside';
      return unseen.has(id) ? 'unseen' : 'seen';
    },
    ages: (code: string) => checkOf.get(code)?.ages === true,
  };
}

/** The invoices of these mismatches that count in a month that was not checked this time. */
async function invoicesOfOtherMonths({ db, periods }: CheckContext, gone: readonly StoredMismatch[]) {
  const numbers = new Set(gone.flatMap(({ invoice_number }) => invoice_number ?? []));
  const months = await inChunks(numbers, (chunk) => readMonthsOfInvoices(db, chunk));
  const elsewhere = months.filter(({ period }) => !periods.includes(period));
  return new Set<number | null>(elsewhere.map(({ number }) => number));
}

/** A finding's id, the same on every run and machine, whatever its figures and month become. */
function identityOf(code: string, finding: Finding): string {
  const { invoice_number, subject, place, currency, field } = finding;
  // The findings of `not-in-books` had no currency at first: they keep the ids that they had then.
  const about = [code, invoice_number, subject, place, code === 'not-in-books' ? null : currency, field];
  return createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 16);
}

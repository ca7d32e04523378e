import { sql } from 'kysely';
import { UsageError } from '../errors.ts';
import { chunks } from '../ledger/chunks.ts';
import type { LedgerReader } from '../ledger/read/index.ts';
import type { MismatchTable } from '../ledger/schema.ts';
import { isOneOf } from '../ledger/sql.ts';
import { type MismatchRecord, REMIT } from '../ledger/write/mismatches.ts';
import { formatPeriod } from '../period.ts';
import { type Bridge, buildBridge } from './bridge/index.ts';
import type { Check, CheckContext, CheckSettings, Finding, NotComparable, Part } from './check.ts';
import { identityOf } from './identity.ts';
import { findIncomplete, type Incomplete } from './incomplete.ts';
import { CHECKS } from './index.ts';
import { readKnowledge } from './knowledge.ts';
import { readKnown } from './known.ts';
import { Memo } from './memo.ts';
import { type KnownMismatch, type Settled, settle } from './settle.ts';

export type { Bridge, Incomplete, Part };

/** A check that could not look, and why: silence must never read as 'all is well'. */
export interface Skipped {
  readonly code: string;
  readonly why: string;
}

/** How much a check looked at. */
export interface Coverage {
  readonly code: string;
  readonly compared: number;
  readonly not_comparable: number;
  readonly found: number;
  /** Why each of those that are not comparable is not. */
  readonly reasons: readonly NotComparable[];
}

/** What the checks found in some months, what that changes in what was known, and what they could not look at. Nothing is stored yet. */
export interface CheckResult {
  readonly period: string;
  /** The months that were looked at: those asked for that were ever synced. */
  readonly periods: readonly string[];
  /** The codes of the checks that looked. */
  readonly codes: readonly string[];
  /** Everything that the data shows. */
  readonly findings: readonly MismatchRecord[];
  /** By mismatch, where its effect stands in the bridge: not always in the month of its own, nor in one alone. */
  readonly effects: ReadonlyMap<string, readonly Part[]>;
  /** What becomes of the mismatches. */
  readonly settled: Settled;
  readonly skipped: readonly Skipped[];
  readonly incomplete: readonly Incomplete[];
  readonly coverage: readonly Coverage[];
  readonly bridge: readonly Bridge[];
}

export interface CheckOptions {
  readonly periods: readonly string[];
  /** The codes of the checks to run; all of them when absent or empty. */
  readonly only?: readonly string[];
  /** The catalogue; every check of remit when absent. */
  readonly checks?: readonly Check[] | undefined;
  readonly settings: CheckSettings;
  readonly now: Date;
}

/**
 * Runs the checks over some months. Reads only: call it in one snapshot, so that all that is compared belongs together.
 *
 * @throws UsageError for a code that no check has
 */
export async function runChecks(db: LedgerReader, options: CheckOptions): Promise<CheckResult> {
  const checks = selectChecks(options.checks ?? CHECKS, options.only ?? []);
  const knowledge = await readKnowledge(db);
  const incomplete = await findIncomplete(db, options.periods, knowledge);
  const synced = new Set(knowledge.months.map(({ period }) => period));
  const periods = options.periods.filter((period) => synced.has(period));
  const { settings, now } = options;
  const context: CheckContext = { db, periods, settings, now, knowledge, memo: new Memo() };

  const skipped: Skipped[] = [];
  const coverage: Coverage[] = [];
  const looked: Check[] = [];
  const found: { record: MismatchRecord; finding: Finding }[] = [];
  for (const check of periods.length > 0 ? checks : []) {
    const why = check.requires.map((each) => each.whyUnmet(knowledge)).find((reason) => reason !== null);
    if (why !== undefined) {
      skipped.push({ code: check.code, why: why! });
      continue;
    }
    const { findings, compared, notComparable } = await check.find(context);
    looked.push(check);
    coverage.push(coverageOf(check, findings, compared, notComparable, check.everywhere ? null : options.periods));
    for (const finding of findings) found.push({ record: recordOf(check, finding), finding });
  }

  const codes = looked.map(({ code }) => code);
  const everywhere = looked.filter((check) => check.everywhere).map(({ code }) => code);
  const ids = found.map(({ record }) => record.id);
  const known = await readKnown(db, { periods: options.periods, codes, everywhere, ids });
  const before = new Set(known.map(({ id }) => id));
  // A finding of a month that was not asked for is of use only to follow a known mismatch there.
  const shown = found.filter(
    ({ record }) =>
      before.has(record.id) || everywhere.includes(record.code) || showsIn(record.months, options.periods),
  );
  const settled = settle(
    known,
    shown.map(({ record }) => record),
    await scopeOf(context, options.periods, looked, known, new Set(shown.map(({ record }) => record.id))),
  );
  const resolved = new Set(settled.standing.filter(({ status }) => status === 'resolved').map(({ id }) => id));
  const bridge = await buildBridge(
    context,
    looked,
    shown.map(({ record: { id, code }, finding: { currency, parts } }) => ({
      code,
      currency,
      parts,
      isResolved: resolved.has(id),
    })),
  );
  return {
    period: formatPeriod(options.periods),
    periods,
    codes,
    findings: shown.map(({ record }) => record),
    effects: new Map(shown.map(({ record, finding }) => [record.id, finding.parts])),
    settled,
    skipped,
    incomplete,
    coverage,
    bridge,
  };
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

function recordOf(check: Check, finding: Finding): MismatchRecord {
  const { severity = check.severity, periods, place: _, parts: __, ...fields } = finding;
  return {
    ...fields,
    id: identityOf(check.code, finding),
    code: check.code,
    severity,
    months: [...new Set([finding.period, ...periods])].sort(),
  };
}

function coverageOf(
  { code }: Check,
  findings: readonly Finding[],
  compared: number,
  reasons: readonly NotComparable[],
  periods: readonly string[] | null,
): Coverage {
  const not_comparable = reasons.reduce((sum, { count }) => sum + count, 0);
  const shows = (finding: Finding) => periods === null || showsIn([finding.period, ...finding.periods], periods);
  const found = findings.filter(shows).length;
  return { code, compared, not_comparable, found, reasons };
}

function showsIn(months: readonly string[], periods: readonly string[]): boolean {
  return months.some((month) => periods.includes(month));
}

/** What was looked at of the mismatches that no longer show. */
async function scopeOf(
  context: CheckContext,
  asked: readonly string[],
  checks: readonly Check[],
  known: readonly KnownMismatch[],
  showing: ReadonlySet<string>,
) {
  const gone = known.filter(({ id, resolved_by }) => !showing.has(id) && resolved_by !== REMIT);
  const unseen = new Set<string>();
  for (const { code, unseen: find } of checks) {
    const own = gone.filter((mismatch) => mismatch.code === code);
    if (own.length > 0 && find) for (const id of await find(context, own)) unseen.add(id);
  }
  const moved = await movedInvoices(context, gone);
  const everywhere = new Set(checks.filter((check) => check.everywhere).map(({ code }) => code));
  const aging = new Set(checks.filter(({ ages }) => ages).map(({ code }) => code));
  return {
    look({ id, code, months, invoice_number }: KnownMismatch) {
      if (everywhere.has(code)) return 'seen' as const;
      // The order book belongs to the month of its run, which need not have been synced itself.
      const isWithin = months.every((month) => asked.includes(month));
      if (!isWithin || moved.has(invoice_number)) return 'outside' as const;
      return unseen.has(id) ? ('unseen' as const) : ('seen' as const);
    },
    ages: (code: string) => aging.has(code),
  };
}

/** Of the invoices of some mismatches, those that count in a month that was not looked at now. */
async function movedInvoices(
  { db, periods }: CheckContext,
  gone: readonly Pick<MismatchTable, 'invoice_number'>[],
): Promise<ReadonlySet<number | null>> {
  const numbers = [...new Set(gone.flatMap(({ invoice_number }) => invoice_number ?? []))];
  const moved = new Set<number | null>();
  for (const chunk of chunks(numbers)) {
    const { rows } = await sql<{ number: number }>`
      select number from invoice
      where ${isOneOf('number', chunk)} and period not in (${sql.join([...periods])})`.execute(db);
    for (const { number } of rows) moved.add(number);
  }
  return moved;
}

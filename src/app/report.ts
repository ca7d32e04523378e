import type { ReportContext } from '../../reports/context.ts';
import type { FilterName, Filters } from '../../reports/filters.ts';
import { REPORTS, type ReportEntry } from '../../reports/index.ts';
import type { Column, Report, Row } from '../../reports/model.ts';
import { invoiceColumns, rowWithTexts, withTextColumns } from '../../reports/payout-numbers.ts';
import { nearestWords } from '../base/edit-distance.ts';
import { LedgerError, UsageError } from '../base/errors.ts';
import { parseInstant } from '../base/instant.ts';
import { inNumberTexts, type NumberTexts, numberNamed } from '../base/number-texts.ts';
import type { Sentence } from '../base/sentence.ts';
import { ofCourier, wholeLedger } from '../ledger/index.ts';
import { readFigureHead } from '../ledger/queries/evidence/chain.ts';
import { readNumberTexts } from '../ledger/queries/invoices/settlements.ts';
import { usingSnapshot } from '../ledger/queries/snapshot.ts';
import { readLastRun } from '../ledger/queries/sync/runs.ts';
import { showingError } from '../words/errors/showing.ts';
import { isDay, usingBooksAsOf } from './as-of.ts';
import { type Books, refuseOwnFiles } from './books.ts';
import { lookAtMonths } from './check.ts';
import { couriersOf, couriersWithMonths, type LackingCourier, monthsOf } from './couriers.ts';

export type { Filters, Report, ReportEntry };
export { refuseOwnFiles };

export interface ReportRequest {
  readonly entry: ReportEntry;
  /** The months, in order; null for every month that the ledger holds. */
  readonly periods: readonly string[] | null;
  /** What the rows are narrowed to. */
  readonly filters?: Filters;
  /** Only what happened since this day; absent for all days. */
  readonly since?: string | null | undefined;
  /** The courier and invoice with whose rows it begins, in a report that can begin there; others begin at the start. */
  readonly from?: { readonly courier: string; readonly invoice: number } | undefined;
  /** The ledger as it was then; null for as it is. */
  readonly asOf: Date | null;
}

interface LedgerState {
  /**
   * When it last changed; null before the first sync. Files state it instead of the clock, so that the same ledger
   * gives the same bytes.
   */
  readonly changedAt: Date | null;
  /** The head of its chain of evidence; null while nothing is known. */
  readonly chainHead: string | null;
}

export function listReports(): readonly Pick<ReportEntry, 'name' | 'title'>[] {
  return REPORTS.map(({ name, title }) => ({ name, title }));
}

/** @throws UsageError naming the reports that there are */
export function findReport(name: string): ReportEntry {
  const entry = REPORTS.find((candidate) => candidate.name === name);
  if (entry) return entry;
  const names = REPORTS.map((candidate) => candidate.name);
  throw new UsageError(showingError({ id: 'no-report', name, names, nearest: nearestWords(name, names) }));
}

/**
 * Makes a report from the books and lends it to `use`; its rows are read while `use` works.
 *
 * @param use is also given the state of the ledger that the report shows
 * @throws UsageError for a period where the report takes none; LedgerError when no month of the period was ever synced
 */
export async function usingReport<T>(
  books: Books,
  { entry, periods, filters = {}, since = null, from, asOf }: ReportRequest,
  use: (report: Report, state: LedgerState) => Promise<T>,
): Promise<T> {
  requirePeriodFits(entry, periods);
  requireFiltersFit(entry, filters);
  requireSinceFits(entry, since);
  return usingBooksAsOf(books, asOf, { readOnly: true }, async (ledger, { config, now }) => {
    // In a report of all months, a courier that has no month yet is left out: a note says why.
    const { couriers, lacking: withoutMonths } =
      entry.needsPeriod && periods === null
        ? await couriersWithMonths(ledger, config, null)
        : { couriers: await couriersOf(ledger.db, config), lacking: [] };
    return usingSnapshot(ledger, async (wholeDb) => {
      const reports: CourierReport[] = [];
      const contexts: ReportContext[] = [];
      const lacking: LackingCourier[] = [...withoutMonths];
      const runStarts: string[] = [];
      for (const courier of couriers) {
        const db = ofCourier(wholeDb, courier.key);
        const months = entry.needsPeriod
          ? await monthsOf({ db, name: ledger.name }, courier.config, periods)
          : { periods: [], period: '' };
        const run = await readLastRun(db);
        if (run) runStarts.push(run.started_at);
        try {
          const texts = await readNumberTexts(db);
          const context = {
            db,
            settings: courier.config,
            ...months,
            isOfAllMonths: periods === null,
            asOf,
            since,
            filters: filtersIn(filters, texts),
            ...(from?.courier === courier.name ? { from: from.invoice } : {}),
            runChecks: () => lookAtMonths(db, { config: courier.config, now }, months.periods),
          };
          reports.push({ courier: courier.name, report: await entry.build(context), texts });
          contexts.push(context);
        } catch (error) {
          // A courier without anything in these months does not keep the others from their report.
          if (couriers.length === 1 || !(error instanceof LedgerError)) throw error;
          lacking.push({ courier: courier.name, error });
        }
      }
      if (reports.length === 0) throw lacking[0]!.error;
      const areSeveral = couriers.length + withoutMonths.length > 1;
      if (areSeveral && entry.ofNoCourier)
        reports.push({ courier: null, report: await entry.ofNoCourier(contexts), texts: new Map() });
      const changedAt = runStarts.sort().at(-1);
      return use(joinReports(reports, lacking, from?.courier), {
        changedAt: changedAt === undefined ? null : new Date(changedAt),
        chainHead: (await readFigureHead(wholeLedger(wholeDb)))?.chain ?? null,
      });
    });
  });
}

/** The filters in a courier's numbers: a payout by the ledger's integer, however it was named. */
function filtersIn(filters: Filters, texts: NumberTexts): Filters {
  const found = filters.invoice === undefined ? null : numberNamed(filters.invoice, texts);
  return found === null ? filters : { ...filters, invoice: String(found) };
}

/** @throws UsageError for a period where the report takes none */
export function requirePeriodFits(entry: ReportEntry, periods: readonly string[] | null): void {
  if (periods === null || entry.needsPeriod) return;
  throw new UsageError(showingError({ id: 'report-without-period', report: entry.name }));
}

/** @throws UsageError for a day where the report takes none, and for what is no day */
export function requireSinceFits(entry: Pick<ReportEntry, 'name' | 'takesSince'>, since: string | null): void {
  if (since === null) return;
  if (!entry.takesSince) throw new UsageError(showingError({ id: 'report-without-since', report: entry.name }));
  if (!isDay(since) || parseInstant(`${since}T12:00:00Z`) === null)
    throw new UsageError(showingError({ id: 'no-day', day: since }));
}

/** @throws UsageError for a filter that the report has no column for, which would otherwise show too much */
export function requireFiltersFit(entry: Pick<ReportEntry, 'name' | 'filters'>, filters: Filters): void {
  const wrong = (Object.keys(filters) as FilterName[]).find((name) => !entry.filters.includes(name));
  if (wrong === undefined) return;
  const known = entry.filters.map((name) => `--${name}`);
  throw new UsageError(showingError({ id: 'no-such-filter', report: entry.name, filter: `--${wrong}`, known }));
}

/** The report of one courier, or of what belongs to no courier. */
interface CourierReport {
  readonly courier: string | null;
  readonly report: Report;
  /** The numbers on its papers (`ES-902`), by the ledger's integers. */
  readonly texts: NumberTexts;
}

const COURIER: Column = { name: 'courier', type: 'text', key: true };

/**
 * Joins the couriers' reports into one, courier by courier: each row and total names its courier.
 *
 * @param lacking the couriers without a report, and why
 * @param from the courier with whose rows the report begins; undefined for the first
 */
function joinReports(
  reports: readonly CourierReport[],
  lacking: readonly LackingCourier[],
  from: string | undefined,
): Report {
  const [first] = reports;
  const { report } = first!;
  const isOnly = reports.length === 1 && lacking.length === 0;
  const start = reports.findIndex(({ courier }) => courier === from);
  // People do not see the column of an only courier; JSON and CSV always have it.
  const column = isOnly ? { ...COURIER, isOfOnlyCourier: true } : COURIER;
  const notesOfLacking = lacking.map(({ courier, error }): Sentence => {
    return { id: 'of-courier', courier, note: { id: 'error', why: error.explanation } };
  });
  const joined = {
    columns: [column, ...withTextColumns(report.columns)],
    rows: rowsOf(reports.slice(Math.max(0, start))),
    totals: () => reports.flatMap((one) => one.report.totals().map((row) => ({ courier: one.courier, ...row }))),
    notes: () => (isOnly ? inNumberTexts(report.notes(), first!.texts) : [...notesOf(reports), ...notesOfLacking]),
  };
  if (isOnly) return { ...report, ...joined };
  const periods = [...new Set(reports.map((one) => one.report.period))];
  const zone = report.timeZone === undefined ? {} : { timeZone: report.timeZone };
  return { report: report.report, title: report.title, period: periods.join(', '), ...zone, ...joined };
}

async function* rowsOf(reports: readonly CourierReport[]): AsyncGenerator<Row> {
  for (const { courier, report, texts } of reports) {
    const columns = invoiceColumns(report.columns);
    for await (const row of report.rows) yield { courier, ...rowWithTexts(row, columns, texts) };
  }
}

/** The notes of each courier's report; a note that all of them have is there once, without a courier. */
function notesOf(reports: readonly CourierReport[]): Sentence[] {
  const notes = reports.flatMap(({ courier, report, texts }) =>
    courier === null ? [] : [{ courier, reportNotes: inNumberTexts(report.notes(), texts) }],
  );
  const keys = notes.map(({ reportNotes }) => new Set(reportNotes.map((note) => JSON.stringify(note))));
  const isOfAll = (note: Sentence) => keys.length > 1 && keys.every((each) => each.has(JSON.stringify(note)));
  return [
    ...notes[0]!.reportNotes.filter(isOfAll),
    ...notes.flatMap(({ courier, reportNotes }) =>
      reportNotes.filter((note) => !isOfAll(note)).map((note) => ({ id: 'of-courier', courier, note })),
    ),
  ];
}

import type { FilterName, Filters } from '../../reports/filters.ts';
import { REPORTS, type ReportEntry } from '../../reports/index.ts';
import type { Report } from '../../reports/model.ts';
import { UsageError } from '../errors.ts';
import { readFigureHead, readLastSync, usingSnapshot } from '../ledger/read/index.ts';
import { usingBooksAsOf } from './as-of.ts';
import { type Books, refuseOwnFiles } from './books.ts';
import { lookAtMonths } from './check.ts';
import { monthsOf } from './months.ts';

export type { Filters, Report, ReportEntry };
export { refuseOwnFiles };

export interface ReportRequest {
  readonly entry: ReportEntry;
  /** The months, in order; null for every month that the ledger holds. */
  readonly periods: readonly string[] | null;
  /** What the rows are narrowed to. */
  readonly filters?: Filters;
  /** The ledger as it was then; null for as it is. */
  readonly asOf: Date | null;
}

/** Which state of a ledger a report was made from. */
export interface LedgerState {
  /** When it last changed: what a file bears instead of the clock, so that the same ledger gives the same bytes; null before the first sync. */
  readonly changedAt: Date | null;
  /** The head of its chain of evidence; null while nothing is known. */
  readonly chainHead: string | null;
}

/** Every report, in the order in which they are listed. */
export function listReports(): readonly Pick<ReportEntry, 'name' | 'title'>[] {
  return REPORTS.map(({ name, title }) => ({ name, title }));
}

/** The report of a name. @throws UsageError naming those that there are */
export function findReport(name: string): ReportEntry {
  const entry = REPORTS.find((candidate) => candidate.name === name);
  if (entry) return entry;
  throw new UsageError(
    `there is no report ${JSON.stringify(name)}`,
    `The reports are: ${REPORTS.map((candidate) => candidate.name).join(', ')}.`,
  );
}

/**
 * Makes a report from the books and lends it to `use`; its rows are read while `use` works.
 *
 * @param use is also given which state of the ledger it is
 * @throws UsageError for a period where the report takes none; LedgerError when no month of the period was ever synced
 */
export async function usingReport<T>(
  books: Books,
  { entry, periods: asked, filters = {}, asOf }: ReportRequest,
  use: (report: Report, ledgerOf: LedgerState) => Promise<T>,
): Promise<T> {
  requirePeriodFits(entry, asked);
  requireFiltersFit(entry, filters);
  return usingBooksAsOf(books, asOf, { readOnly: true }, async (ledger, then) => {
    const months = entry.needsPeriod ? await monthsOf(ledger, asked) : { periods: [], period: '' };
    const run = await readLastSync(ledger.db);
    return usingSnapshot(ledger, async (db) => {
      const lookAt = () => lookAtMonths(db, then, months.periods);
      return use(await entry.build({ db, settings: then.config, ...months, filters, lookAt }), {
        changedAt: run && new Date(run.started_at),
        chainHead: (await readFigureHead(db))?.chain ?? null,
      });
    });
  });
}

/** @throws UsageError for a period where the report takes none */
export function requirePeriodFits(entry: ReportEntry, periods: readonly string[] | null): void {
  if (periods === null || entry.needsPeriod) return;
  throw new UsageError(`the report ${entry.name} is about the whole ledger and has no period`, 'Leave the period out.');
}

/** @throws UsageError for a filter that the report has no column for: left out silently, it would show too much */
export function requireFiltersFit(entry: Pick<ReportEntry, 'name' | 'filters'>, filters: Filters): void {
  const wrong = (Object.keys(filters) as FilterName[]).find((name) => !entry.filters.includes(name));
  if (wrong === undefined) return;
  const known = entry.filters.map((name) => `--${name}`).join(', ');
  throw new UsageError(
    `the report ${entry.name} cannot be narrowed by --${wrong}`,
    known === '' ? 'Leave it out.' : `It takes ${known}.`,
  );
}

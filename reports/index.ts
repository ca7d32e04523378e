import type { ReportContext } from './context.ts';
import { invoices } from './invoices.ts';
import { mismatches } from './mismatches.ts';
import type { Report } from './model.ts';
import { orders } from './orders.ts';
import { runs } from './runs.ts';
import { totals } from './totals.ts';

/** A report that `remit report` offers. */
export interface ReportEntry {
  readonly name: string;
  /** One sentence: what it shows. */
  readonly title: string;
  /** Whether it is about a period; the others show everything. */
  readonly needsPeriod: boolean;
  /**
   * Makes the report's model. Its rows are read from the snapshot while they are rendered.
   *
   * @throws LedgerError when no month of the period was ever synced
   */
  readonly build: (context: ReportContext) => Promise<Report>;
}

/** Every report, in the order in which they are listed. Adding one is adding a file and a line here. */
export const REPORTS: readonly ReportEntry[] = [
  { name: 'totals', title: 'Totals by month and currency', needsPeriod: true, build: totals },
  { name: 'invoices', title: 'Every invoice, by currency', needsPeriod: true, build: invoices },
  { name: 'orders', title: 'Every invoice row, by currency', needsPeriod: true, build: orders },
  { name: 'mismatches', title: 'What does not agree, and what to do about it', needsPeriod: true, build: mismatches },
  { name: 'runs', title: 'Every sync and what it brought', needsPeriod: false, build: runs },
];

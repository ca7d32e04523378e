import { ageing } from './ageing.ts';
import { cashForecast } from './cash-forecast.ts';
import { changes } from './changes/index.ts';
import { charges } from './charges.ts';
import type { ReportContext } from './context.ts';
import { dashboard } from './dashboard/index.ts';
import { evidence } from './evidence.ts';
import { fees } from './fees.ts';
import type { FilterName } from './filters.ts';
import { invoices } from './invoices.ts';
import { journal } from './journal/report.ts';
import { lag } from './lag.ts';
import { mismatches } from './mismatches.ts';
import type { Report } from './model.ts';
import { notInvoiced } from './not-invoiced.ts';
import { openItems } from './open-items.ts';
import { orders } from './orders.ts';
import { nobodysReceipts, receipts } from './receipts.ts';
import { returns } from './returns.ts';
import { rollForward } from './roll-forward.ts';
import { runs } from './runs.ts';
import { totals } from './totals.ts';

/** A report that `remit report` offers. */
export interface ReportEntry {
  readonly name: string;
  /** One sentence: what it shows. */
  readonly title: string;
  /** Whether it is about a period; the others show everything. */
  readonly needsPeriod: boolean;
  /** What it can be narrowed to. */
  readonly filters: readonly FilterName[];
  /**
   * Makes the report's model. Its rows are read from the snapshot while they are rendered.
   *
   * @throws LedgerError when no month of the period was ever synced
   */
  readonly build: (context: ReportContext) => Promise<Report>;
  /** Makes the report of what is of none of several couriers; absent where all is of one. */
  readonly ofNobody?: (contexts: readonly ReportContext[]) => Promise<Report>;
}

/** Every report, in the order in which they are listed. Adding one is adding a file and a line here. */
export const REPORTS: readonly ReportEntry[] = [
  entry('totals', 'Totals by month and currency', totals, ['currency']),
  entry('invoices', 'Every invoice, by currency', invoices, ['invoice', 'status', 'currency']),
  entry('orders', 'Every invoice row, by currency', orders, ['invoice', 'order', 'status', 'code', 'currency']),
  entry('mismatches', 'What does not agree, and what to do about it', mismatches, [
    'invoice',
    'order',
    'status',
    'code',
    'currency',
  ]),
  entry('ageing', 'What is open at the end of the period, by age', ageing, ['invoice', 'currency']),
  entry('open-items', 'Each invoice and receipt behind the closing balance, the oldest first', openItems, [
    'invoice',
    'currency',
  ]),
  entry('not-invoiced', 'What was delivered and stands on no invoice at the end of the period', notInvoiced, [
    'invoice',
    'order',
    'status',
    'code',
    'currency',
  ]),
  entry('roll-forward', 'From the opening balance due to the closing one, month by month', rollForward, ['currency']),
  {
    ...entry('receipts', 'What came in: whose it is, what it pays, what is left of it', receipts, [
      'invoice',
      'status',
      'currency',
    ]),
    ofNobody: nobodysReceipts,
  },
  entry('changes', 'What the courier restated, figure by figure', changes, ['invoice', 'order', 'currency']),
  entry('journal', 'Double-entry lines; for hledger, beancount, Xero or QuickBooks too', journal, []),
  entry('fees', 'Delivery fees by workflow, district, area and pickup location', fees, ['currency']),
  entry('charges', 'What the courier keeps back, by kind: charges and taxes', charges, ['currency']),
  entry('returns', 'What came back, by district and reference, and what it cost', returns, ['currency']),
  entry('lag', 'Days from delivery to the invoice, and from there to payment', lag, ['invoice']),
  entry('cash-forecast', 'What is on its way to you, and when it should arrive', cashForecast, ['currency']),
  entry('dashboard', 'A month at a glance; as a page (--format html) with charts', dashboard, []),
  entry('evidence', 'The documents behind the figures', evidence, ['invoice', 'order']),
  { ...entry('runs', 'Every sync and what it brought', runs, []), needsPeriod: false },
];

function entry(name: string, title: string, build: ReportEntry['build'], filters: readonly FilterName[]): ReportEntry {
  return { name, title, needsPeriod: true, filters, build };
}

import type { ReportContext } from './context.ts';
import type { FilterName } from './filters.ts';
import type { Report } from './model.ts';

/** A report that `remit report` offers. */
export interface ReportEntry {
  readonly name: string;
  /** One sentence: what it shows. */
  readonly title: string;
  /** Whether it is about a period; the others show everything. */
  readonly needsPeriod: boolean;
  /** Whether it can be narrowed to what happened since a day. */
  readonly takesSince?: true;
  readonly filters: readonly FilterName[];
  /**
   * Makes the report's model. Its rows are read from the snapshot while they are rendered.
   *
   * @throws LedgerError when no month of the period was ever synced
   */
  readonly build: (context: ReportContext) => Promise<Report>;
  /** Makes the report of what belongs to none of several couriers; absent if everything belongs to one of them. */
  readonly ofNoCourier?: (contexts: readonly ReportContext[]) => Promise<Report>;
}

/** Every report, in the order in which help lists them. Each file is loaded only when its report is built. */
export const REPORTS: readonly ReportEntry[] = [
  entry('totals', 'Totals by month and currency', ['currency'], async (context) =>
    (await import('./totals.ts')).totals(context),
  ),
  entry('invoices', 'Every invoice, by currency', ['invoice', 'status', 'currency'], async (context) =>
    (await import('./invoices.ts')).invoices(context),
  ),
  entry(
    'orders',
    'Every invoice row, by currency',
    ['invoice', 'order', 'status', 'code', 'currency'],
    async (context) => (await import('./orders.ts')).orders(context),
  ),
  entry(
    'mismatches',
    'What does not agree, and what to do about it',
    ['invoice', 'order', 'status', 'code', 'currency'],
    async (context) => (await import('./mismatches.ts')).mismatches(context),
  ),
  entry('ageing', 'What is open at the end of the period, by age', ['invoice', 'currency'], async (context) =>
    (await import('./ageing.ts')).ageing(context),
  ),
  entry(
    'open-items',
    'Each invoice and receipt behind the closing balance, the oldest first',
    ['invoice', 'currency'],
    async (context) => (await import('./open-items.ts')).openItems(context),
  ),
  entry(
    'not-invoiced',
    'What was delivered and stands on no invoice at the end of the period',
    ['invoice', 'order', 'status', 'code', 'currency'],
    async (context) => (await import('./not-invoiced.ts')).notInvoiced(context),
  ),
  entry(
    'custody',
    'Where the COD of delivered orders is: from the driver to your bank',
    ['currency'],
    async (context) => (await import('./custody.ts')).custody(context),
  ),
  entry(
    'roll-forward',
    'From the opening balance due to the closing one, month by month',
    ['currency'],
    async (context) => (await import('./roll-forward.ts')).rollForward(context),
  ),
  {
    ...entry(
      'receipts',
      'What came in: whose it is, what it pays, what is left of it',
      ['invoice', 'status', 'currency'],
      async (context) => (await import('./receipts.ts')).receipts(context),
    ),
    ofNoCourier: async (contexts) => (await import('./receipts.ts')).receiptsOfNoCourier(contexts),
  },
  entry('changes', 'What the courier restated, figure by figure', ['invoice', 'order', 'currency'], async (context) =>
    (await import('./changes/index.ts')).changes(context),
  ),
  entry('journal', 'Double-entry lines; for hledger, beancount, Xero or QuickBooks too', [], async (context) =>
    (await import('./journal/report.ts')).journal(context),
  ),
  entry('fees', 'Delivery fees by workflow, district, area and pickup location', ['currency'], async (context) =>
    (await import('./fees.ts')).fees(context),
  ),
  entry('charges', 'What the courier keeps back, by kind: charges and taxes', ['currency'], async (context) =>
    (await import('./charges.ts')).charges(context),
  ),
  entry('returns', 'What came back, by district and reference, and what it cost', ['currency'], async (context) =>
    (await import('./returns.ts')).returns(context),
  ),
  entry('lag', 'Days from delivery to the invoice, and from there to payment', ['invoice'], async (context) =>
    (await import('./lag.ts')).lag(context),
  ),
  entry('cash-forecast', 'What is on its way to you, and when it should arrive', ['currency'], async (context) =>
    (await import('./cash-forecast.ts')).cashForecast(context),
  ),
  entry('dashboard', 'A month at a glance; as HTML with charts', [], async (context) =>
    (await import('./dashboard/index.ts')).dashboard(context),
  ),
  entry('evidence', 'The documents behind the figures', ['invoice', 'order'], async (context) =>
    (await import('./evidence.ts')).evidence(context),
  ),
  {
    ...entry(
      'paid-orders',
      'Orders whose cash came in, to mark them paid in the shop',
      ['order', 'currency'],
      async (context) => (await import('./paid-orders.ts')).paidOrders(context),
    ),
    needsPeriod: false,
    takesSince: true,
  },
  {
    ...entry('runs', 'Every sync and what it brought', [], async (context) =>
      (await import('./runs.ts')).runs(context),
    ),
    needsPeriod: false,
  },
];

function entry(name: string, title: string, filters: readonly FilterName[], build: ReportEntry['build']): ReportEntry {
  return { name, title, needsPeriod: true, filters, build };
}

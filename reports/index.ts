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
  entry('totals', 'Totals by month and currency', ['currency'], async () => (await import('./totals.ts')).totals),
  entry(
    'invoices',
    'Every invoice, by currency',
    ['invoice', 'status', 'currency'],
    async () => (await import('./invoices.ts')).invoices,
  ),
  entry(
    'orders',
    'Every invoice row, by currency',
    ['invoice', 'order', 'status', 'code', 'currency'],
    async () => (await import('./orders.ts')).orders,
  ),
  entry(
    'mismatches',
    'What does not agree, and what to do about it',
    ['invoice', 'order', 'status', 'code', 'currency'],
    async () => (await import('./mismatches.ts')).mismatches,
  ),
  entry(
    'ageing',
    'What is open at the end of the period, by age',
    ['invoice', 'currency'],
    async () => (await import('./ageing.ts')).ageing,
  ),
  entry(
    'open-items',
    'Each invoice and receipt behind the closing balance, the oldest first',
    ['invoice', 'currency'],
    async () => (await import('./open-items.ts')).openItems,
  ),
  entry(
    'not-invoiced',
    'What was delivered and stands on no invoice at the end of the period',
    ['invoice', 'order', 'status', 'code', 'currency'],
    async () => (await import('./not-invoiced.ts')).notInvoiced,
  ),
  entry(
    'custody',
    'Where the COD of delivered orders is: from the driver to your bank',
    ['currency'],
    async () => (await import('./custody.ts')).custody,
  ),
  entry(
    'roll-forward',
    'From the opening balance due to the closing one, month by month',
    ['currency'],
    async () => (await import('./roll-forward.ts')).rollForward,
  ),
  {
    ...entry(
      'receipts',
      'What came in: whose it is, what it pays, what is left of it',
      ['invoice', 'status', 'currency'],
      async () => (await import('./receipts.ts')).receipts,
    ),
    ofNoCourier: async (contexts) => (await import('./receipts.ts')).receiptsOfNoCourier(contexts),
  },
  entry(
    'changes',
    'What the courier restated, figure by figure',
    ['invoice', 'order', 'currency'],
    async () => (await import('./changes/index.ts')).changes,
  ),
  entry(
    'journal',
    'Double-entry lines; for hledger, beancount, Xero or QuickBooks too',
    [],
    async () => (await import('./journal/report.ts')).journal,
  ),
  entry(
    'fees',
    'Delivery fees by workflow, district, area and pickup location',
    ['currency'],
    async () => (await import('./fees.ts')).fees,
  ),
  entry(
    'charges',
    'What the courier keeps back, by kind: charges and taxes',
    ['currency'],
    async () => (await import('./charges.ts')).charges,
  ),
  entry(
    'returns',
    'What came back, by district and reference, and what it cost',
    ['currency'],
    async () => (await import('./returns.ts')).returns,
  ),
  entry(
    'lag',
    'Days from delivery to the invoice, and from there to payment',
    ['invoice'],
    async () => (await import('./lag.ts')).lag,
  ),
  entry(
    'cash-forecast',
    'What is on its way to you, and when it should arrive',
    ['currency'],
    async () => (await import('./cash-forecast.ts')).cashForecast,
  ),
  entry(
    'dashboard',
    'A month at a glance; as HTML with charts',
    [],
    async () => (await import('./dashboard/index.ts')).dashboard,
  ),
  entry(
    'evidence',
    'The documents behind the figures',
    ['invoice', 'order'],
    async () => (await import('./evidence.ts')).evidence,
  ),
  {
    ...entry(
      'paid-orders',
      'Orders whose cash came in, to mark them paid in the shop',
      ['order', 'currency'],
      async () => (await import('./paid-orders.ts')).paidOrders,
    ),
    needsPeriod: false,
    takesSince: true,
  },
  {
    ...entry('runs', 'Every sync and what it brought', [], async () => (await import('./runs.ts')).runs),
    needsPeriod: false,
  },
];

/** An entry that needs a period. */
function entry(
  name: string,
  title: string,
  filters: readonly FilterName[],
  load: () => Promise<ReportEntry['build']>,
): ReportEntry {
  return { name, title, needsPeriod: true, filters, build: async (context) => (await load())(context) };
}

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

/** What each report shows and how it can be narrowed, in the order in which help lists them. */
const LISTED = {
  totals: ['Totals by month and currency', ['currency']],
  invoices: ['Every invoice, by currency', ['invoice', 'status', 'currency']],
  orders: ['Every invoice row, by currency', ['invoice', 'order', 'status', 'code', 'currency']],
  mismatches: ['What does not agree, and what to do about it', ['invoice', 'order', 'status', 'code', 'currency']],
  ageing: ['What is open at the end of the period, by age', ['invoice', 'currency']],
  'open-items': ['Each invoice and receipt behind the closing balance, the oldest first', ['invoice', 'currency']],
  'not-invoiced': [
    'What was delivered and stands on no invoice at the end of the period',
    ['invoice', 'order', 'status', 'code', 'currency'],
  ],
  custody: ['Where the COD of delivered orders is: from the driver to your bank', ['currency']],
  'roll-forward': ['From the opening balance due to the closing one, month by month', ['currency']],
  receipts: ['What came in: whose it is, what it pays, what is left of it', ['invoice', 'status', 'currency']],
  changes: ['What the courier restated, figure by figure', ['invoice', 'order', 'currency']],
  journal: ['Double-entry lines; for hledger, beancount, Xero or QuickBooks too', []],
  fees: ['Delivery fees by workflow, district, area and pickup location', ['currency']],
  charges: ['What the courier keeps back, by kind: charges and taxes', ['currency']],
  returns: ['What came back, by district and reference, and what it cost', ['currency']],
  lag: ['Days from delivery to the invoice, and from there to payment', ['invoice']],
  'cash-forecast': ['What is on its way to you, and when it should arrive', ['currency']],
  dashboard: ['A month at a glance; as HTML with charts', []],
  evidence: ['The documents behind the figures', ['invoice', 'order']],
  'paid-orders': ['Orders whose cash came in, to mark them paid in the shop', ['order', 'currency']],
  runs: ['Every sync and what it brought', []],
} as const satisfies Readonly<Record<string, readonly [title: string, filters: readonly FilterName[]]>>;
type Name = keyof typeof LISTED;

/** Each file is loaded only when its report is built. */
const LOADERS: Readonly<Record<Name, () => Promise<ReportEntry['build']>>> = {
  totals: async () => (await import('./totals.ts')).totals,
  invoices: async () => (await import('./invoices.ts')).invoices,
  orders: async () => (await import('./orders.ts')).orders,
  mismatches: async () => (await import('./mismatches.ts')).mismatches,
  ageing: async () => (await import('./ageing.ts')).ageing,
  'open-items': async () => (await import('./open-items.ts')).openItems,
  'not-invoiced': async () => (await import('./not-invoiced.ts')).notInvoiced,
  custody: async () => (await import('./custody.ts')).custody,
  'roll-forward': async () => (await import('./roll-forward.ts')).rollForward,
  receipts: async () => (await import('./receipts.ts')).receipts,
  changes: async () => (await import('./changes.ts')).changes,
  journal: async () => (await import('./journal/report.ts')).journal,
  fees: async () => (await import('./fees.ts')).fees,
  charges: async () => (await import('./charges.ts')).charges,
  returns: async () => (await import('./returns.ts')).returns,
  lag: async () => (await import('./lag.ts')).lag,
  'cash-forecast': async () => (await import('./cash-forecast.ts')).cashForecast,
  dashboard: async () => (await import('./dashboard/index.ts')).dashboard,
  evidence: async () => (await import('./evidence.ts')).evidence,
  'paid-orders': async () => (await import('./paid-orders.ts')).paidOrders,
  runs: async () => (await import('./runs.ts')).runs,
};

/** What only some reports have, or what differs in them. */
const PARTICULAR: Partial<Record<Name, Partial<ReportEntry>>> = {
  receipts: { ofNoCourier: async (contexts) => (await import('./receipts.ts')).receiptsOfNoCourier(contexts) },
  'paid-orders': { needsPeriod: false, takesSince: true },
  runs: { needsPeriod: false },
};

/** Every report, in the order in which help lists them. */
export const REPORTS: readonly ReportEntry[] = (Object.keys(LISTED) as Name[]).map((name) => {
  const [title, filters] = LISTED[name];
  const build: ReportEntry['build'] = async (context) => (await LOADERS[name]())(context);
  return { name, title, needsPeriod: true, filters, build, ...PARTICULAR[name] };
});

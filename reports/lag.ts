import { counted } from '../src/counted.ts';
import { type LedgerReader, readDeliveryTimes, readInvoiceTimes } from '../src/ledger/read/index.ts';
import type { ReportContext } from './context.ts';
import { daysUntil } from './days.ts';
import { type Filters, fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { syncedMonths } from './synced.ts';

const COLUMNS: readonly Column[] = [
  { name: 'number', title: 'Invoice', type: 'number' },
  { name: 'issued_at', title: 'Issued', type: 'datetime' },
  { name: 'orders', title: 'Orders with a date', type: 'count' },
  { name: 'invoiced_median', title: 'To invoice: median', type: 'days' },
  { name: 'invoiced_most', title: 'To invoice: longest', type: 'days' },
  { name: 'slowest_order', title: 'Slowest order', type: 'id' },
  { name: 'outliers', title: 'Outliers', type: 'count' },
  { name: 'paid_seen_at', title: 'Seen paid', type: 'datetime' },
  { name: 'paid', title: 'To payment', type: 'days' },
];

/** How many days something took: in the middle, for the slowest tenth at least, at most, over how many. */
export interface Lag {
  readonly median: number;
  readonly slowTenth: number;
  readonly most: number;
  readonly of: number;
}

/** How long money takes: from delivery to the invoice, and from there to payment, an invoice a row; days, from date to date. */
export async function lag({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const { rows, toInvoice, toPayment } = await readLags(db, months, filters);
  return {
    report: 'lag',
    title: 'Lag',
    period,
    columns: COLUMNS,
    rows,
    totals: () => [],
    notes: () => [
      ...sayLag('From delivery to the invoice', toInvoice, 'order'),
      ...sayLag('From the invoice to being seen paid', toPayment, 'invoice'),
      'An outlier took longer than the third quarter by more than one and a half times the distance between the quarters. An invoice that was paid when first seen has no day of payment.',
      ...notes,
    ],
  };
}

/** The same as figures: a row an invoice, and what all of them come to; null where nothing has both dates. */
export async function readLags(
  db: LedgerReader,
  months: readonly string[],
  filters: Filters = {},
): Promise<{ readonly rows: readonly Row[]; readonly toInvoice: Lag | null; readonly toPayment: Lag | null }> {
  const invoices = await readInvoiceTimes(db, months);
  const all: number[] = [];
  const payments: number[] = [];
  const rows: Row[] = [];
  let at = 0;
  for await (const delivered of readDeliveryTimes(
    db,
    invoices.map(({ number }) => number),
  )) {
    const invoice = invoices[at]!;
    at += 1;
    const days = delivered
      .map((order) => ({
        order: order.order_id,
        days: daysUntil(order.first_delivered_at, invoice.issued_at.slice(0, 10)),
      }))
      .filter((one): one is { order: string; days: number } => one.days !== null)
      .sort((a, b) => a.days - b.days);
    const paid = invoice.paid_seen_at === null ? null : daysUntil(invoice.issued_at, invoice.paid_seen_at.slice(0, 10));
    const lengths = days.map((one) => one.days);
    const limit = outlierLimit(lengths);
    const row: Row = {
      number: invoice.number,
      issued_at: invoice.issued_at,
      orders: lengths.length,
      invoiced_median: quantile(lengths, 0.5),
      invoiced_most: lengths.at(-1) ?? null,
      slowest_order: days.at(-1)?.order ?? null,
      outliers: limit === null ? 0 : lengths.filter((one) => one > limit).length,
      paid_seen_at: invoice.paid_seen_at,
      paid,
    };
    if (!fits(row, filters)) continue;
    rows.push(row);
    all.push(...lengths);
    if (paid !== null) payments.push(paid);
  }
  return { rows, toInvoice: lagOf(all), toPayment: lagOf(payments) };
}

/** The value below which so large a part of sorted values lies; null of none. */
function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null;
}

function outlierLimit(sorted: readonly number[]): number | null {
  const [first, third] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  return first === null || third === null ? null : third + 1.5 * (third - first);
}

/** What some lengths come to; null of none. */
export function lagOf(lengths: readonly number[]): Lag | null {
  const sorted = [...lengths].sort((a, b) => a - b);
  const [median, slowTenth, most] = [quantile(sorted, 0.5), quantile(sorted, 0.9), sorted.at(-1)];
  if (median === null || slowTenth === null || most === undefined) return null;
  return { median, slowTenth, most, of: sorted.length };
}

function sayLag(what: string, lag: Lag | null, noun: string): string[] {
  if (lag === null) return [];
  const { median, slowTenth, most, of } = lag;
  return [
    `${what}: ${median} days in the middle, ${slowTenth} for the slowest tenth, ${most} at most, over ${counted(of, noun)}.`,
  ];
}

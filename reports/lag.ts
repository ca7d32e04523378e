import { dayIn, daysBetween } from '../src/base/day.ts';
import { flowsOf } from '../src/checks/facts/receipts/flows.ts';
import { readSettlements, type Settlements } from '../src/checks/facts/receipts/settlements.ts';
import { readInvoiceTimes } from '../src/ledger/queries/invoices/invoices.ts';
import { readDeliveryTimes } from '../src/ledger/queries/orders/records.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';
import { columnsOf } from './columns.ts';
import type { ReportContext } from './context.ts';
import { type Filters, fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { syncedMonths } from './notes.ts';

const COLUMNS = columnsOf(
  'number issued_at orders invoiced_median invoiced_most',
  'slowest_order outliers paid_seen_at paid:days',
);

/** How many days something took: median, 90th percentile and the most, of so many (`of`) observations. */
export type Lag = Readonly<Record<'median' | 'percentile90' | 'most' | 'of', number>>;

/** How long a step took: `invoicing` is observed on orders, `seen-paid` on invoices. */
export type LagNote = ({ id: 'lag'; step: 'invoicing' | 'seen-paid' } & Lag) | { id: 'lag-outliers' };

/** How many days money takes from delivery to the invoice, and from there to payment: one row per invoice. */
export async function lag({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const settlements = await readSettlements(db, settings);
  const { rows, toInvoice, toPayment } = await readLags(db, settlements, months, filters);
  return {
    report: 'lag',
    title: 'Lag',
    period,
    timeZone: settings.timeZone,
    columns: COLUMNS,
    rows,
    totals: () => [],
    notes: () => [
      ...lagNotes('invoicing', toInvoice),
      ...lagNotes('seen-paid', toPayment),
      { id: 'lag-outliers' } satisfies LagNote,
      ...notes,
    ],
  };
}

/** A row per invoice, and the lags over all of them; a lag is null if nothing has both of its dates. */
export async function readLags(
  db: LedgerReader,
  settlements: Settlements,
  months: readonly string[],
  filters: Filters = {},
): Promise<{ readonly rows: readonly Row[]; readonly toInvoice: Lag | null; readonly toPayment: Lag | null }> {
  const invoices = await readInvoiceTimes(db, months);
  const receiptDays = receiptDaysOf(settlements);
  const dayOf = (instant: string) => dayIn(instant, settlements.books.timeZone);
  const invoicingLags: number[] = [];
  const paymentLags: number[] = [];
  const rows: Row[] = [];
  const numbers = invoices.map(({ number }) => number);
  const inOrder = invoices.values();
  // Yields one list of orders for each invoice, in the order of `numbers`.
  for await (const delivered of readDeliveryTimes(db, numbers)) {
    const invoice = inOrder.next().value!;
    const issued = dayOf(invoice.issued_at);
    const waits = delivered
      .flatMap(({ order_id, first_delivered_at }) => {
        const days = daysBetween(dayOf(first_delivered_at), issued);
        return days === null ? [] : [{ order: order_id, days }];
      })
      .sort((a, b) => a.days - b.days);
    const seenPaidOn = invoice.paid_seen_at === null ? null : dayOf(invoice.paid_seen_at);
    const receivedOn = receiptDays.get(invoice.number);
    // The Paid flag tells the day only of an invoice without receipts.
    const paidDay = receivedOn === undefined ? seenPaidOn : receivedOn;
    const paid = paidDay === null ? null : daysBetween(issued, paidDay);
    const days = waits.map((wait) => wait.days);
    const limit = outlierLimit(days);
    const row: Row = {
      number: invoice.number,
      issued_at: invoice.issued_at,
      orders: days.length,
      invoiced_median: quantile(days, 0.5),
      invoiced_most: days.at(-1) ?? null,
      slowest_order: waits.at(-1)?.order ?? null,
      outliers: limit === null ? 0 : days.filter((wait) => wait > limit).length,
      paid_seen_at: invoice.paid_seen_at,
      paid,
    };
    if (!fits(row, filters)) continue;
    rows.push(row);
    invoicingLags.push(...days);
    if (paid !== null) paymentLags.push(paid);
  }
  return { rows, toInvoice: lagOf(invoicingLags), toPayment: lagOf(paymentLags) };
}

/** By invoice with receipts, the day of the last one; null while something is open. Others go by their Paid flag. */
function receiptDaysOf({ books, invoices }: Settlements): Map<number, string | null> {
  const lastReceipt = new Map<number, string>();
  for (const { number, date } of flowsOf(books)) {
    if (date > (lastReceipt.get(number) ?? '')) lastReceipt.set(number, date);
  }
  const days = new Map<number, string | null>();
  for (const { number, by, outstanding } of invoices) {
    if (by !== 'receipts') continue;
    // An invoice has a line per currency: it is open while one of them is.
    const isOpen = outstanding > 0n || days.get(number) === null;
    days.set(number, isOpen ? null : (lastReceipt.get(number) ?? null));
  }
  return days;
}

/** The value below which a part of the sorted values lies (0.5: the median); null if there are none. */
function quantile(sorted: readonly number[], part: number): number | null {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? null;
}

/** The third quartile plus one and a half times the distance of the quartiles: a longer lag is an outlier. */
function outlierLimit(sorted: readonly number[]): number | null {
  const [first, third] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  return first === null || third === null ? null : third + 1.5 * (third - first);
}

/** The lag over the days of some observations; null if there are none. */
export function lagOf(days: readonly number[]): Lag | null {
  const sorted = [...days].sort((a, b) => a - b);
  const [median, percentile90, most] = [quantile(sorted, 0.5), quantile(sorted, 0.9), sorted.at(-1)];
  if (median === null || percentile90 === null || most === undefined) return null;
  return { median, percentile90, most, of: sorted.length };
}

function lagNotes(step: 'invoicing' | 'seen-paid', lag: Lag | null): LagNote[] {
  return lag === null ? [] : [{ id: 'lag', step, ...lag }];
}

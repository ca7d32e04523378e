import type { KnownInvoice } from '../history/invoices.ts';
import { compared, counted, type Expected, effectOf, type Part } from './finding.ts';
import { detailOf, type Ledger } from './ledger.ts';
import { atStake, currenciesIn, netOf, of, sumOf } from './money.ts';
import type { Sheet } from './sheet.ts';

const MONEY = ['cod', 'delivery_fee', 'net_due_to_merchant'] as const;
const INVOICE_STATUSES = ['PAID', 'PENDING_PAYMENT'];

/** What an invoice's own documents show: its header, its list row, its repeated orders. */
export function judgeInside(ledger: Ledger, sheet: Sheet): void {
  for (const invoice of ledger.invoices.values()) {
    totals(invoice, sheet);
    listAndDetail(invoice, sheet);
    repeated(invoice, sheet);
    statuses(invoice, sheet);
    overdue(ledger, invoice, sheet);
    if (invoice.live && invoice.months.length > 1) {
      sheet.add({ ...about('invoice-in-two-months', 'error', invoice), times: 'one', effect: null });
    }
  }
}

export const about = (code: string, severity: NonNullable<Expected['severity']>, invoice: KnownInvoice) => ({
  code,
  severity,
  period: invoice.period,
  invoice_number: invoice.number,
});

/** The money that a live invoice's finding takes; a vanished one's takes none. Rule 27. */
function take(invoice: KnownInvoice, part: Omit<Part, 'period'>, sheet: Sheet): { effect: string | null } {
  if (!invoice.live) return effectOf(null);
  sheet.part({ ...part, period: invoice.period });
  return effectOf(part.effect);
}

function totals(invoice: KnownInvoice, sheet: Sheet): void {
  const detail = detailOf(invoice);
  if (!detail) return;
  const rows = {
    cod: sumOf(detail.rows.map((row) => row.cod)),
    delivery_fee: sumOf(detail.rows.map((row) => row.delivery_fee)),
  };
  const found = (code: string, field: string, currency: string, expected: bigint, actual: bigint, sign: bigint) => {
    if (expected === actual) return;
    const finding = `${code} ${invoice.number} ${currency}`;
    sheet.add({
      ...about(code, 'error', invoice),
      times: 'one',
      order_id: null,
      currency,
      field,
      ...compared(expected, actual),
      ...take(invoice, { code, currency, effect: sign * (actual - expected), finding }, sheet),
    });
  };
  const { cod, delivery_fee, net_due_to_merchant: net } = detail;
  for (const currency of currenciesIn(cod, delivery_fee, net, rows.cod, rows.delivery_fee)) {
    found(
      'invoice-net',
      'net_due_to_merchant',
      currency,
      of(cod, currency) - of(delivery_fee, currency),
      of(net, currency),
      1n,
    );
    found('invoice-cod-total', 'cod', currency, of(rows.cod, currency), of(cod, currency), 1n);
    found(
      'invoice-fee-total',
      'delivery_fee',
      currency,
      of(rows.delivery_fee, currency),
      of(delivery_fee, currency),
      -1n,
    );
  }
}

function listAndDetail(invoice: KnownInvoice, sheet: Sheet): void {
  const detail = detailOf(invoice);
  const { row } = invoice;
  if (!detail || !row) return;
  const base = {
    ...about('invoice-list-detail', 'error', invoice),
    times: 'one' as const,
    order_id: null,
    effect: null,
  };
  for (const field of MONEY) {
    for (const currency of currenciesIn(detail[field], row[field])) {
      const [expected, actual] = [of(detail[field], currency), of(row[field], currency)];
      if (expected !== actual) sheet.add({ ...base, currency, field, ...compared(expected, actual) });
    }
  }
  if (Date.parse(detail.issued_at) !== Date.parse(row.issued_at)) {
    sheet.add({ ...base, currency: null, field: 'issued_at', unit: null });
  }
  if (detail.status !== row.status) {
    sheet.add({ ...base, severity: 'warning', currency: null, field: 'status', unit: null });
  }
  if (detail.rows.length !== row.order_count) {
    sheet.add({
      ...about('invoice-order-count', 'error', invoice),
      times: 'one',
      order_id: null,
      currency: null,
      field: 'order_count',
      ...counted(detail.rows.length, row.order_count),
      effect: null,
    });
  }
}

function repeated(invoice: KnownInvoice, sheet: Sheet): void {
  const rows = detailOf(invoice)?.rows ?? [];
  for (const order_id of new Set(rows.map((row) => row.order_id))) {
    const same = rows.filter((row) => row.order_id === order_id);
    if (same.length < 2) continue;
    const code = 'order-repeated';
    const base = { ...about(code, 'error', invoice), times: 'one' as const, order_id, ...counted(1, same.length) };
    const surplus = same.slice(1);
    const currencies = atStake(surplus);
    if (currencies.length === 0) sheet.add({ ...base, currency: null, effect: null });
    for (const currency of currencies) {
      const finding = `${code} ${invoice.number} ${order_id} ${currency}`;
      sheet.add({
        ...base,
        currency,
        ...take(invoice, { code, currency, effect: netOf(surplus, currency), finding }, sheet),
      });
    }
  }
}

function statuses(invoice: KnownInvoice, sheet: Sheet): void {
  const detail = detailOf(invoice);
  const isUnknown = (status?: string) => status !== undefined && !INVOICE_STATUSES.includes(status);
  if (isUnknown(detail?.status) || isUnknown(invoice.row?.status)) {
    // Of an invoice that several months have listed, the newest row may be one that its own month's list never had.
    const isSure = isUnknown(detail?.status) || invoice.firstListed.size === 1;
    sheet.add({ ...about('status-unknown', 'warning', invoice), times: isSure ? 'some' : 'may', effect: null });
  }
  if (!detail) return;
  for (const row of detail.rows) {
    if ((detail.status === 'PAID') === (row.payment_state === 'PAID_TO_MERCHANT')) continue;
    const base = about('paid-state-conflict', 'warning', invoice);
    sheet.add({ ...base, times: 'some', order_id: row.order_id, effect: null });
  }
}

function overdue({ now }: Ledger, invoice: KnownInvoice, sheet: Sheet): void {
  const detail = detailOf(invoice);
  if (!detail || ![...detail.net_due_to_merchant.values()].some((net) => net > 0n)) return;
  const days = Math.floor((now.getTime() - Date.parse(detail.issued_at)) / 86_400_000);
  const listed = invoice.row?.status ?? detail.status;
  const unpaid = detail.status !== 'PAID';
  if (days <= sheet.settings.overdueDays || (!unpaid && listed === 'PAID')) return;
  const sure = unpaid && listed !== 'PAID' && days > sheet.settings.overdueDays;
  sheet.add({ ...about('payment-overdue', 'warning', invoice), times: sure ? 'some' : 'may', effect: null });
}

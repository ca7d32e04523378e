import type { InvoiceDetail, InvoiceListItem, MoneyPairs, Order } from '../../../src/api/wire.ts';
import { parseUnits } from '../../../src/money/units.ts';
import { presentInvoiceDetail, presentInvoiceListItem } from '../../../src/sandbox/routes/invoices.ts';
import { listOrders } from '../../../src/sandbox/routes/orders.ts';
import type { InvoiceRow } from '../../../src/sandbox/store/rows.ts';
import type { Store } from '../../../src/sandbox/store/store.ts';
import type { Planted } from '../../../src/sandbox/world/planted.ts';

const DAY = 86_400_000;

/** `code/invoice/order/currency`, with `-` for what is null. */
function key(
  code: string,
  invoice: number | null = null,
  order: string | null = null,
  currency: string | null = null,
): string {
  return [code, invoice ?? '-', order ?? '-', currency ?? '-'].join('/');
}

/** What {@link findings} looks for. */
const CODES = [
  ...['invoice-cod-total', 'invoice-fee-total', 'invoice-net', 'invoice-order-count', 'invoice-list-detail'],
  ...['order-repeated', 'order-on-two-invoices', 'paid-state-conflict', 'cod-without-delivery', 'fee-on-cancelled'],
  ...['payment-overdue', 'order-amount-differs', 'order-invoice-link', 'order-unknown', 'delivered-not-invoiced'],
  ...['status-unknown', 'invoice-in-two-months', 'duplicate-reference'],
];

/** What {@link findings} is to find of what was planted: a plant of another check is for that check alone to find. */
export function lookedFor(planted: readonly Planted[]): string[] {
  return planted
    .filter(({ code }) => CODES.includes(code))
    .map((p) => key(p.code, p.invoice_number, p.order_id, p.currency))
    .sort();
}

type Fields = Map<string, bigint>;

function read(field: MoneyPairs | null | undefined): Fields {
  const sums: Fields = new Map();
  for (const [currency = '', amount = ''] of field ?? []) {
    sums.set(currency, (sums.get(currency) ?? 0n) + parseUnits(amount));
  }
  return sums;
}

function sum(fields: Fields[]): Fields {
  const sums: Fields = new Map();
  for (const field of fields) for (const [c, units] of field) sums.set(c, (sums.get(c) ?? 0n) + units);
  return sums;
}

function differing(a: Fields, b: Fields): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((c) => (a.get(c) ?? 0n) !== (b.get(c) ?? 0n));
}

const positive = (field: Fields): string[] => [...field].filter(([, units]) => units !== 0n).map(([c]) => c);

/**
 * What the design's mismatch catalogue finds in everything that the service shows a merchant, written apart from the
 * checks, over documents and not over a ledger.
 */
export function findings(store: Store, merchant: number, now: Date): string[] {
  const rows = store.all<InvoiceRow>('select * from invoice where merchant_id = ? order by number', merchant);
  const list = rows.map((row) => presentInvoiceListItem(store, row));
  const details = rows.map((row) => presentInvoiceDetail(store, row));
  const orders = listOrders(store, merchant, 'http://localhost').read(1_000_000, 0);
  const age = (moment: string): number => (now.getTime() - Date.parse(moment)) / DAY;
  return [
    ...details.flatMap((detail, i) => insideInvoice(detail, list[i]!, age(detail.issued_at))),
    ...acrossInvoices(details),
    ...againstBook(details, orders, age),
    ...rows.flatMap((row) =>
      row.also_listed_in && row.also_listed_in !== row.issued_at.slice(0, 7)
        ? key('invoice-in-two-months', row.number)
        : [],
    ),
  ].sort();
}

function insideInvoice(detail: InvoiceDetail, listed: InvoiceListItem, age: number): string[] {
  const n = detail.number;
  const [cod, fee, net] = [read(detail.cod), read(detail.delivery_fee), read(detail.net_due_to_merchant)];
  const found: string[] = [];
  const note = (code: string, order: string | null = null, currency: string | null = null) =>
    found.push(key(code, n, order, currency));

  for (const c of differing(cod, sum(detail.orders.map((o) => read(o.cod))))) note('invoice-cod-total', null, c);
  for (const c of differing(fee, sum(detail.orders.map((o) => read(o.delivery_fee)))))
    note('invoice-fee-total', null, c);
  const due = sum([cod, new Map([...fee].map(([c, units]) => [c, -units]))]);
  for (const c of differing(due, net)) note('invoice-net', null, c);
  if (listed.order_count !== detail.orders.length) note('invoice-order-count');
  for (const field of ['cod', 'delivery_fee', 'net_due_to_merchant'] as const) {
    for (const c of differing(read(detail[field]), read(listed[field]))) note('invoice-list-detail', null, c);
  }
  if (listed.issued_at !== detail.issued_at || listed.status !== detail.status) note('invoice-list-detail');
  if (!['PAID', 'PENDING_PAYMENT'].includes(detail.status)) note('status-unknown');
  const seen = new Set<string>();
  for (const row of detail.orders) {
    if (seen.has(row.order_id)) for (const c of netUnits(row)) note('order-repeated', row.order_id, c);
    seen.add(row.order_id);
    if ((detail.status === 'PAID') !== (row.payment_state === 'PAID_TO_MERCHANT'))
      note('paid-state-conflict', row.order_id);
    if (!row.delivery_state.startsWith('DELIVERED')) {
      for (const c of positive(read(row.cod))) note('cod-without-delivery', row.order_id, c);
    }
    if (row.delivery_state === 'CANCELLED') {
      for (const c of positive(read(row.delivery_fee))) note('fee-on-cancelled', row.order_id, c);
    }
  }
  if (detail.status !== 'PAID' && age >= 31 && [...net.values()].some((units) => units > 0n)) note('payment-overdue');
  return found;
}

/** The currencies in which something is at stake. */
function netUnits({ cod, delivery_fee }: { cod?: MoneyPairs | null; delivery_fee?: MoneyPairs | null }): string[] {
  return [...new Set([...positive(read(cod)), ...positive(read(delivery_fee))])];
}

/** The invoices that list each order. */
function listersOf(details: InvoiceDetail[]): Map<string, Set<number>> {
  const listers = new Map<string, Set<number>>();
  for (const { number, orders } of details) {
    for (const { order_id } of orders) listers.set(order_id, (listers.get(order_id) ?? new Set()).add(number));
  }
  return listers;
}

function acrossInvoices(details: InvoiceDetail[]): string[] {
  const rowOf = new Map(details.flatMap(({ orders }) => orders.map((row) => [row.order_id, row])));
  return [...listersOf(details)].flatMap(([order, on]) =>
    on.size > 1 ? netUnits(rowOf.get(order)!).map((c) => key('order-on-two-invoices', null, order, c)) : [],
  );
}

function againstBook(details: InvoiceDetail[], orders: Order[], age: (moment: string) => number): string[] {
  const book = new Map(orders.map((order) => [order.order_id, order]));
  const listers = listersOf(details);
  const found: string[] = [];
  for (const { number, orders: rows } of details) {
    for (const row of new Map(rows.map((r) => [r.order_id, r])).values()) {
      const own = book.get(row.order_id);
      if (!own) {
        for (const c of netUnits(row)) found.push(key('order-unknown', number, row.order_id, c));
        continue;
      }
      for (const field of ['cod', 'delivery_fee'] as const) {
        for (const c of differing(read(own[field]), read(row[field]))) {
          found.push(key('order-amount-differs', number, row.order_id, c));
        }
      }
    }
  }
  const numbers = new Set(details.map(({ number }) => number));
  const byReference = new Map<string, string[]>();
  for (const order of orders) {
    const { order_id: id, merchant_invoice: link, reference_id } = order;
    const on = listers.get(id);
    if (on && !on.has(Number(link))) found.push(key('order-invoice-link', Math.max(...on), id));
    if (!on && link !== null && numbers.has(Number(link))) found.push(key('order-invoice-link', Number(link), id));
    const delivered = order.statestamps?.find((stamp) => stamp.delivery_state.startsWith('DELIVERED'));
    if (!on && order.delivery_state.startsWith('DELIVERED') && delivered && age(delivered.timestamp) > 14) {
      for (const c of netUnits(order)) found.push(key('delivered-not-invoiced', null, id, c));
    }
    if (reference_id && order.delivery_state !== 'CANCELLED') {
      const plain = reference_id.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase();
      byReference.set(plain, [...(byReference.get(plain) ?? []), id].sort());
    }
  }
  for (const [id, second] of byReference.values()) if (second) found.push(key('duplicate-reference', null, id));
  return found;
}

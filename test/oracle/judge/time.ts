import type { KnownInvoice } from '../history/invoices.ts';
import type { ReadDetail } from '../history/read.ts';
import { isComplete } from '../history/walk.ts';
import { compared, counted, type Expected } from './finding.ts';
import { about } from './inside.ts';
import { detailOf, type Ledger } from './ledger.ts';
import { currenciesIn, netOf, of } from './money.ts';
import { inPeriod } from './orders.ts';
import type { Sheet } from './sheet.ts';

const HEADER = ['cod', 'delivery_fee', 'net_due_to_merchant'] as const;

/**
 * What only several syncs show: vanished and restated invoices, documents that cannot be read, listings that came
 * short.
 */
export function judgeTime(ledger: Ledger, sheet: Sheet): void {
  for (const invoice of ledger.invoices.values()) {
    if (!invoice.live) vanishedInvoice(ledger, invoice, sheet);
    restatedInvoice(invoice, sheet);
    unreadableDetail(invoice, sheet);
  }
  unreadableRows(ledger, sheet);
  listings(ledger, sheet);
  book(ledger, sheet);
}

function vanishedInvoice(ledger: Ledger, invoice: KnownInvoice, sheet: Sheet): void {
  const code = 'invoice-vanished';
  const detail = detailOf(invoice);
  const net = (detail ?? invoice.row)?.net_due_to_merchant;
  const relisted = (detail?.rows ?? []).filter(({ order_id }) => ledger.listing(order_id).length > 0);
  const base = { ...about(code, 'error', invoice), order_id: null };
  const moved = currenciesIn(...relisted.flatMap((row) => [row.cod, row.delivery_fee]));
  const currencies = [...new Set([...currenciesIn(net), ...moved.filter((each) => netOf(relisted, each) !== 0n)])];
  if (currencies.length === 0) sheet.add({ ...base, times: 'some' });
  // The header may name a currency that its net does not: nothing is lost in it.
  sheet.add({ ...base, times: 'may', ...compared(0n, 0n), effect: '0.00' });
  for (const currency of currencies) {
    const effect = netOf(relisted, currency) - of(net, currency);
    const finding = `${code} ${invoice.number} ${currency}`;
    sheet.part({ code, period: invoice.period, currency, effect, finding });
    sheet.add({
      ...base,
      times: 'one',
      currency,
      field: 'net_due_to_merchant',
      ...compared(of(net, currency), 0n),
      effect: compared(0n, effect).actual,
    });
  }
}

function restatedInvoice(invoice: KnownInvoice, sheet: Sheet): void {
  const documents = invoice.details.map(({ document }) => document);
  const [first, last] = [documents[0], documents.at(-1)];
  if (!first || !last || first === last) return;
  const base = { ...about('invoice-restated', severityOf(documents), invoice), effect: null };
  let found = false;
  for (const field of HEADER) {
    for (const currency of currenciesIn(first[field], last[field])) {
      const [expected, actual] = [of(first[field], currency), of(last[field], currency)];
      if (expected === actual) continue;
      found = true;
      sheet.add({ ...base, times: 'one', order_id: null, currency, field, ...compared(expected, actual) });
    }
  }
  const rows = rowsOf(first) !== rowsOf(last);
  if (rows && !found) sheet.add({ ...base, times: 'some' });
  if (rows || rowsOf(first, true) !== rowsOf(last, true)) sheet.add({ ...base, times: 'may' });
}

function severityOf(documents: readonly ReadDetail[]): 'error' | 'warning' {
  const afterPaid = documents.some((document, at) => {
    const next = documents[at + 1];
    return next !== undefined && document.status === 'PAID' && contentOf(document) !== contentOf(next);
  });
  return afterPaid ? 'error' : 'warning';
}

const pairs = (money: ReadonlyMap<string, bigint>): string =>
  [...money]
    .filter(([, size]) => size !== 0n)
    .map(([currency, size]) => `${currency} ${size}`)
    .sort()
    .join();

const rowsOf = (document: ReadDetail, states = false): string =>
  document.rows
    .map((row) =>
      [
        row.order_id,
        pairs(row.cod),
        pairs(row.delivery_fee),
        states ? row.delivery_state + row.reference_id : '',
      ].join(),
    )
    .sort()
    .join('\n');

const contentOf = (document: ReadDetail): string =>
  [...HEADER.map((field) => pairs(document[field])), rowsOf(document)].join('\n');

function unreadableDetail(invoice: KnownInvoice, sheet: Sheet): void {
  if (!invoice.malformed && invoice.lastAnswer !== 'failed') return;
  const times = invoice.malformed ? 'one' : 'may';
  sheet.add({ ...about('document-malformed', 'error', invoice), times, currency: null, effect: null });
}

function unreadableRows({ months }: Ledger, sheet: Sheet): void {
  for (const [period, { unreadable }] of months) {
    for (const number of unreadable) {
      const base = { code: 'document-malformed', severity: 'error', times: 'one', period, order_id: null } as const;
      sheet.add({ ...base, invoice_number: number, effect: null });
    }
  }
}

function listings({ months }: Ledger, sheet: Sheet): void {
  for (const [period, { walks }] of months) {
    const last = walks.findLast(({ ended }) => ended);
    if (!last || isComplete(last)) continue;
    const count = counted(last.count ?? 0, last.items.length);
    sheet.add({ ...LISTING, times: 'one', period, ...count });
  }
}

const LISTING: Pick<Expected, 'code' | 'severity' | 'order_id' | 'effect'> = {
  code: 'listing-incomplete',
  severity: 'error',
  order_id: null,
  effect: null,
};

function book(ledger: Ledger, sheet: Sheet): void {
  const last = ledger.book.walks.findLast(({ ended }) => ended);
  if (!last) return;
  const month = last.at.toISOString().slice(0, 7);
  if (!isComplete(last)) {
    sheet.add({ ...LISTING, times: 'one', period: month, ...counted(last.count ?? 0, last.items.length) });
  }
  for (const order of ledger.book.orders.values()) {
    if (!order.unreadable) continue;
    const { order_id } = order;
    const base = { code: 'document-malformed', severity: 'error' as const, order_id, effect: null };
    sheet.add({ ...base, times: 'one', ...inPeriod(ledger, order_id) });
  }
}

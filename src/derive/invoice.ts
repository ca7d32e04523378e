import { decode } from '../api/decode.ts';
import { InvoiceDetail, type InvoiceListItem } from '../api/wire.ts';
import { ContractError } from '../errors.ts';
import { sha256 } from '../ledger/evidence/sha256.ts';
import type { InvoiceRows } from '../ledger/write/invoices.ts';
import {
  amountOfUnits,
  eachOrderField,
  formatAmount,
  MONEY_FIELDS,
  ORDER_MONEY_FIELDS,
  type OrderMoneyField,
  type Units,
} from '../money/index.ts';
import { instantText } from './instant-text.ts';
import { requireKept } from './kept-text.ts';
import { blankRow, moneyRows } from './money-rows.ts';

/**
 * Makes an invoice's ledger rows of its detail (spec, 'Invoice').
 *
 * @param document the body as JSON
 * @param number the invoice that was asked for
 * @throws ContractError that names the field which is not what the spec describes, or which the ledger cannot hold
 */
export function readInvoice(document: unknown, number: number, detailSha256: string): InvoiceRows {
  return invoiceRows(decode(InvoiceDetail, document), number, detailSha256);
}

/** The same of a detail that is decoded already. */
export function invoiceRows(detail: InvoiceDetail, number: number, detailSha256: string): InvoiceRows {
  if (detail.number !== number) {
    throw new ContractError(
      `number: asked for invoice ${number}, got ${detail.number}`,
      'The answer is kept; ask the delivery company why it answers with another invoice.',
      { path: 'number' },
    );
  }
  const orders: OrderRow[] = [];
  const orderAmounts: OrderAmountRow[] = [];
  const blank = blankRow(ORDER_MONEY_FIELDS, { invoice_number: number, position: 0 });
  for (const order of detail.orders) {
    const position = orders.length;
    const path = `orders[${position}].`;
    const row: OrderRow = {
      invoice_number: number,
      position,
      order_id: order.order_id,
      reference_id: order.reference_id ?? '',
      workflow: order.workflow,
      delivery_state: order.delivery_state,
      payment_state: order.payment_state,
    };
    orders.push(requireKept(row, path));
    for (const amount of moneyRows(ORDER_MONEY_FIELDS, order, path, { ...blank, position })) orderAmounts.push(amount);
  }
  const amounts = invoiceMoney(detail, { invoice_number: number });
  return {
    invoice: requireKept({
      number,
      status: detail.status,
      issued_at: instantText(detail.issued_at, 'issued_at'),
      row_count: detail.orders.length,
      detail_sha256: detailSha256,
    }),
    amounts,
    orders,
    orderAmounts,
    contentSha256: contentOf(amounts, orders, orderAmounts),
    versionAmounts: versionAmounts(amounts, orderAmounts),
  };
}

/** The header's money of a list row or a detail, one row a currency. @throws ContractError that names the field */
export function invoiceMoney<K extends object>(document: InvoiceListItem | InvoiceDetail, key: K) {
  return moneyRows(MONEY_FIELDS, document, '', blankRow(MONEY_FIELDS, key));
}

type AmountRow = InvoiceRows['amounts'][number];
type OrderRow = InvoiceRows['orders'][number];
type OrderAmountRow = InvoiceRows['orderAmounts'][number];

/** A hash of what a restatement changes. Another order of the same rows, a zero more or less and a payment state are no change. */
function contentOf(
  amounts: readonly AmountRow[],
  orders: readonly OrderRow[],
  orderAmounts: readonly OrderAmountRow[],
): string {
  const header = amounts
    .map((row) => [row.currency, ...MONEY_FIELDS.map((field) => row[field])])
    .filter(([, ...units]) => units.some((value) => value !== 0n))
    .map((parts) => parts.join(' '));
  return sha256([...header.sort(), '', ...rowTexts(orders, orderAmounts).sort()].join('\n'));
}

/** Each row with its money. A function of its own, as {@link sumsOf} is: V8 compiles what has a long loop, with all around it. */
function rowTexts(orders: readonly OrderRow[], orderAmounts: readonly OrderAmountRow[]): string[] {
  const texts: string[] = [];
  for (const order of orders) texts.push(order.order_id);
  for (const row of orderAmounts) {
    let text = ` ${row.currency}`;
    let isNothing = true;
    for (const field of ORDER_MONEY_FIELDS) {
      isNothing &&= row[field] === 0n;
      text += ` ${row[field]}`;
    }
    if (!isNothing) texts[row.position] += text;
  }
  return texts;
}

function versionAmounts(
  amounts: readonly AmountRow[],
  orderAmounts: readonly OrderAmountRow[],
): InvoiceRows['versionAmounts'] {
  const sums = sumsOf(orderAmounts);
  const headers = new Map(amounts.map((row) => [row.currency, row]));
  const text = (units: Units | undefined) => formatAmount(amountOfUnits(units ?? 0n));
  return [...new Set([...headers.keys(), ...sums.keys()])].sort().map((currency) => {
    const header = headers.get(currency);
    const rows = sums.get(currency);
    const stated = MONEY_FIELDS.map((field) => [field, text(header?.[field])]);
    const summed = ORDER_MONEY_FIELDS.map((field) => [`order_${field}`, text(rows?.[field])]);
    return Object.fromEntries([['currency', currency], ...stated, ...summed]) as InvoiceRows['versionAmounts'][number];
  });
}

/** Sums by currency, in plain bigint: one beyond the ledger's range is a finding about this invoice, not a failure to read it. */
function sumsOf(orderAmounts: readonly OrderAmountRow[]): Map<string, Record<OrderMoneyField, Units>> {
  const sums = new Map<string, Record<OrderMoneyField, Units>>();
  for (const row of orderAmounts) {
    let sum = sums.get(row.currency);
    if (!sum) {
      sum = eachOrderField(() => 0n);
      sums.set(row.currency, sum);
    }
    for (const field of ORDER_MONEY_FIELDS) sum[field] += row[field];
  }
  return sums;
}

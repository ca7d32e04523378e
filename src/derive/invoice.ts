import { decode } from '../api/decode.ts';
import { InvoiceDetail, type InvoiceListItem } from '../api/wire.ts';
import { ContractError } from '../base/errors.ts';
import { groupBy } from '../base/group.ts';
import { sha256 } from '../ledger/evidence/sha256.ts';
import { type InvoiceRows, supersedeInvoice, writeInvoice } from '../ledger/write/invoices.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import { formatUnits, MONEY_FIELDS, ORDER_MONEY_FIELDS, type OrderMoneyField } from '../money/index.ts';
import type { Derivation, Derive } from './derivation.ts';
import { ifReadable, type Readable, readDocument, refuseFaulty } from './documents.ts';
import { blankRow, moneyRows, requireSummable } from './money-rows.ts';
import { instantText, requireKept } from './text-fields.ts';

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

/** Makes the rows of a detail that is decoded already. */
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
  requireSummable(ORDER_MONEY_FIELDS, amounts, 'cod');
  requireSummable(ORDER_MONEY_FIELDS, orderAmounts, 'orders');
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

/** A hash of what a restatement changes: not the order of the rows, zero amounts or payment states. @param more what else does */
export function contentOf(
  amounts: readonly AmountRow[],
  orders: readonly OrderRow[],
  orderAmounts: readonly OrderAmountRow[],
  more: readonly string[] = [],
): string {
  const header = amounts
    .map((row) => [row.currency, ...MONEY_FIELDS.map((field) => row[field])])
    .filter(([, ...units]) => units.some((value) => value !== 0n))
    .map((parts) => parts.join(' '));
  return sha256([...header.sort(), '', ...rowTexts(orders, orderAmounts).sort(), ...more].join('\n'));
}

/** Each row's order and its money, as text; amounts of zero are left out. */
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

/** The money of a version: what its header states, beside the sums of its rows. */
export function versionAmounts(
  amounts: readonly AmountRow[],
  orderAmounts: readonly OrderAmountRow[],
): InvoiceRows['versionAmounts'] {
  const headers = new Map(amounts.map((row) => [row.currency, row]));
  const rows = groupBy(orderAmounts, ({ currency }) => currency);
  return [...new Set([...headers.keys(), ...rows.keys()])].sort().map((currency) => {
    const header = headers.get(currency);
    // `requireSummable` has shown that these sums are within the ledger's range.
    const sumOf = (field: OrderMoneyField) => (rows.get(currency) ?? []).reduce((sum, row) => sum + row[field], 0n);
    const stated = MONEY_FIELDS.map((field) => [field, formatUnits(header?.[field] ?? 0n)]);
    const summed = ORDER_MONEY_FIELDS.map((field) => [`order_${field}`, formatUnits(sumOf(field))]);
    return Object.fromEntries([['currency', currency], ...stated, ...summed]) as InvoiceRows['versionAmounts'][number];
  });
}

/** Why a detail was fetched; kept as the `data` of its evidence. */
export interface InvoiceAsked {
  /** The month whose list holds the invoice. */
  readonly period: string;
  /** SHA-256 of the list's row at that time; null where it could not be read. */
  readonly listed_sha256: string | null;
}

/** An invoice, from the body of its detail. */
export const deriveInvoice: Derive = async (derivation) => {
  const { evidence, body } = derivation;
  await applyInvoice(
    derivation,
    await ifReadable(async () => {
      refuseFaulty(evidence);
      return readInvoice(readDocument(await body()), Number(evidence.subject), evidence.sha256!);
    }),
  );
};

/** Writes the rows of a detail that was read already, or notes that it cannot be read. */
export async function applyInvoice(
  { trx, evidence }: Pick<Derivation, 'trx' | 'evidence'>,
  read: Readable<InvoiceRows>,
): Promise<void> {
  const { id: evidenceId, at, subject, sha256 } = evidence;
  const { period, listed_sha256: listedSha256 } = JSON.parse(evidence.data!) as InvoiceAsked;
  if (read.ok) {
    await writeInvoice(trx, read.value, { evidenceId, at, period, listedSha256 });
    await clearUnreadable(trx, 'invoice', [subject]);
    return;
  }
  const why = evidence.fault ?? read.fault.message;
  await supersedeInvoice(trx, Number(subject), { evidenceId, at, why: `its detail cannot be read: ${why}` });
  await noteUnreadable(trx, [{ kind: 'invoice', subject, period, evidence_id: evidenceId, at, sha256, why }]);
}

/** A detail that could not be fetched: what the ledger holds of the invoice is out of date. */
export const deriveMissing: Derive = async ({ trx, evidence }) => {
  const { id: evidenceId, at, subject, fault } = evidence;
  await supersedeInvoice(trx, Number(subject), { evidenceId, at, why: fault ?? 'its detail could not be brought' });
};

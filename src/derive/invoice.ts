import { decode } from '../api/decode.ts';
import { InvoiceDetail, type InvoiceListItem } from '../api/wire.ts';
import { ContractError } from '../base/errors.ts';
import type { EvidenceRow, LedgerTransaction } from '../ledger/index.ts';
import { type InvoiceRows, type ReadInvoice, supersedeInvoice, writeInvoices } from '../ledger/write/invoices.ts';
import { clearUnreadable, noteUnreadable } from '../ledger/write/unreadable.ts';
import { MONEY_FIELDS, ORDER_MONEY_FIELDS } from '../money/fields.ts';
import type { Derive } from './derivation.ts';
import { ifReadable, type Readable, readDocument, refuseFaulty, requireInstant, requireStorable } from './documents.ts';
import { blankRow, contentOf, moneyRows, requireSummable, versionAmounts } from './money-rows.ts';

/**
 * Makes an invoice's ledger rows from its detail (spec, 'Invoice').
 *
 * @param number the invoice that was asked for
 * @param detailSha256 of the document; `contentSha256` is of its figures alone, and so tells a restatement
 * @throws ContractError that names the field that is not what the spec describes, or that the ledger cannot store
 */
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
    const { order_id, workflow, delivery_state, payment_state } = order;
    const reference_id = order.reference_id ?? '';
    const row = { invoice_number: number, position, order_id, reference_id, workflow, delivery_state, payment_state };
    orders.push(requireStorable(row, path));
    for (const amount of moneyRows(ORDER_MONEY_FIELDS, order, path, { ...blank, position })) orderAmounts.push(amount);
  }
  const amounts = headerMoney(detail, { invoice_number: number });
  // COD and fees: of the header, then of all rows together. An error names the field `cod` or `orders`.
  requireSummable(ORDER_MONEY_FIELDS, amounts, 'cod');
  requireSummable(ORDER_MONEY_FIELDS, orderAmounts, 'orders');
  const { status, issued_at } = detail;
  requireInstant(issued_at, 'issued_at');
  const invoice = { number, status, issued_at, row_count: orders.length, detail_sha256: detailSha256 };
  return {
    invoice: requireStorable(invoice),
    amounts,
    orders,
    orderAmounts,
    contentSha256: contentOf(amounts, orders, orderAmounts),
    versionAmounts: versionAmounts(amounts, orders, orderAmounts),
  };
}

/** The header's amounts in a list's row or a detail, one row per currency. @throws ContractError naming the field */
export function headerMoney<K extends object>(document: InvoiceListItem | InvoiceDetail, key: K) {
  return moneyRows(MONEY_FIELDS, document, '', blankRow(MONEY_FIELDS, key));
}

type OrderRow = InvoiceRows['orders'][number];
type OrderAmountRow = InvoiceRows['orderAmounts'][number];

/** The `data` of a detail's evidence: the row of a list for which it was fetched. */
export interface InvoiceAsked {
  /** The month whose list holds the invoice. */
  readonly period: string;
  /** SHA-256 of the list's row at that time; null if it could not be read. */
  readonly listed_sha256: string | null;
}

export const deriveInvoice: Derive = async (derivation) => {
  const { trx, evidence, body } = derivation;
  const read = await ifReadable(async () => {
    refuseFaulty(evidence);
    const detail = decode(InvoiceDetail, readDocument(await body()));
    return invoiceRows(detail, Number(evidence.subject), evidence.sha256!);
  });
  await applyInvoices(trx, [{ evidence, read }]);
};

/** Writes the rows of details, and notes the details that cannot be read. No two may be of one invoice. */
export async function applyInvoices(
  trx: LedgerTransaction,
  details: readonly { readonly evidence: EvidenceRow; readonly read: Readable<InvoiceRows> }[],
): Promise<void> {
  const readable: ReadInvoice[] = [];
  for (const { evidence, read } of details) {
    const { subject } = evidence;
    const { period, listed_sha256: listedSha256 } = JSON.parse(evidence.data!) as InvoiceAsked;
    if (read.ok) {
      readable.push({ rows: read.value, evidence, period, listedSha256 });
      continue;
    }
    const why = evidence.fault ?? read.fault.message;
    await supersedeInvoice(trx, Number(subject), evidence, `its detail cannot be read: ${why}`);
    await noteUnreadable(trx, [{ kind: 'invoice', subject, period, why }], evidence);
  }
  await writeInvoices(trx, readable);
  const numbers = readable.map(({ rows }) => String(rows.invoice.number));
  await clearUnreadable(trx, 'invoice', numbers);
}

/** Marks an invoice as out of date because its new detail could not be fetched. */
export const deriveMissing: Derive = async ({ trx, evidence }) => {
  const why = evidence.fault ?? 'its detail could not be brought';
  await supersedeInvoice(trx, Number(evidence.subject), evidence, why);
};

import type { InvoiceDetail, InvoiceListItem } from '../courier/index.ts';
import type { InvoiceRows } from '../ledger/index.ts';
import { instantText } from './instant-text.ts';
import { moneyRows } from './money-rows.ts';

/** An invoice's row in a month's list, with the hash by which a later change of it shows. */
export interface ListedInvoice {
  readonly period: string;
  readonly number: number;
  /** Null where the row could not be read. */
  readonly row: InvoiceListItem | null;
  readonly rowSha256: string | null;
}

/**
 * Makes an invoice's ledger rows of what the list and the detail say (spec, 'Invoice').
 *
 * @throws ContractError that names the field of the detail which the ledger cannot hold
 */
export function mapInvoice(listed: ListedInvoice, detail: InvoiceDetail, detailSha256: string): InvoiceRows {
  const { number } = listed;
  const orders: InvoiceRows['orders'][number][] = [];
  const orderAmounts: InvoiceRows['orderAmounts'][number][] = [];
  detail.orders.forEach((order, position) => {
    orders.push({
      invoice_number: number,
      position,
      order_id: order.order_id,
      reference_id: order.reference_id ?? '',
      workflow: order.workflow,
      delivery_state: order.delivery_state,
      payment_state: order.payment_state,
    });
    const { cod, delivery_fee } = order;
    for (const row of moneyRows({ cod, delivery_fee }, `orders[${position}].`)) {
      orderAmounts.push({ invoice_number: number, position, ...row });
    }
  });
  return {
    invoice: {
      number,
      period: listed.period,
      status: detail.status,
      issued_at: instantText(detail.issued_at, 'issued_at'),
      row_count: detail.orders.length,
      detail_sha256: detailSha256,
      list_status: listed.row?.status ?? null,
      list_status_display: listed.row?.status_display ?? null,
      list_issued_at: listed.row?.issued_at ?? null,
      list_order_count: listed.row?.order_count ?? null,
      list_row_sha256: listed.rowSha256,
      vanished_at: null,
    },
    amounts: invoiceMoney(number, detail),
    listAmounts: listed.row ? invoiceMoney(number, listed.row) : [],
    orders,
    orderAmounts,
  };
}

/** The header's money of a list row or a detail, one row a currency. @throws ContractError that names the field */
export function invoiceMoney(number: number, document: InvoiceListItem | InvoiceDetail): InvoiceRows['amounts'] {
  const { cod, delivery_fee, net_due_to_merchant } = document;
  return moneyRows({ cod, delivery_fee, net_due_to_merchant }, '').map((row) => ({ invoice_number: number, ...row }));
}

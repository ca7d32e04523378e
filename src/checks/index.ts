import type { Check } from './check.ts';
import { codWithoutDelivery } from './cod-without-delivery.ts';
import { deliveredNotInvoiced } from './delivered-not-invoiced.ts';
import { duplicateReference } from './duplicate-reference.ts';
import { feeOnCancelled } from './fee-on-cancelled.ts';
import { invoiceCodTotal } from './invoice-cod-total.ts';
import { invoiceFeeTotal } from './invoice-fee-total.ts';
import { invoiceListDetail } from './invoice-list-detail.ts';
import { invoiceNet } from './invoice-net.ts';
import { invoiceOrderCount } from './invoice-order-count.ts';
import { orderAmountDiffers } from './order-amount-differs.ts';
import { orderInvoiceLink } from './order-invoice-link.ts';
import { orderOnTwoInvoices } from './order-on-two-invoices.ts';
import { orderRepeated } from './order-repeated.ts';
import { orderUnknown } from './order-unknown.ts';
import { paidStateConflict } from './paid-state-conflict.ts';
import { paymentOverdue } from './payment-overdue.ts';
import { stateRegressed } from './state-regressed.ts';

/** Every check, in the order of the catalogue. Adding one is adding a file and a line here. */
export const CHECKS: readonly Check[] = [
  invoiceCodTotal,
  invoiceFeeTotal,
  invoiceNet,
  invoiceOrderCount,
  invoiceListDetail,
  orderRepeated,
  orderOnTwoInvoices,
  paidStateConflict,
  codWithoutDelivery,
  feeOnCancelled,
  paymentOverdue,
  orderAmountDiffers,
  orderInvoiceLink,
  orderUnknown,
  deliveredNotInvoiced,
  stateRegressed,
  duplicateReference,
];

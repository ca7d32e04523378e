import type { Check } from '../check.ts';
import { bookCodDiffers } from './book-cod-differs.ts';
import { closedPeriodChanged } from './closed-period-changed.ts';
import { codWithoutDelivery } from './cod-without-delivery.ts';
import { custodyOverdue } from './custody-overdue.ts';
import { deliveredNotInvoiced } from './delivered-not-invoiced.ts';
import { documentMalformed } from './document-malformed.ts';
import { duplicateReference } from './duplicate-reference.ts';
import { feeNoTariff } from './fee-no-tariff.ts';
import { feeOffTariff } from './fee-off-tariff.ts';
import { feeOnCancelled } from './fee-on-cancelled.ts';
import { impliedRate } from './implied-rate.ts';
import { invoiceCodTotal } from './invoice-cod-total.ts';
import { invoiceFeeTotal } from './invoice-fee-total.ts';
import { invoiceInTwoMonths } from './invoice-in-two-months.ts';
import { invoiceListDetail } from './invoice-list-detail.ts';
import { invoiceNet } from './invoice-net.ts';
import { invoiceOrderCount } from './invoice-order-count.ts';
import { invoiceRestated } from './invoice-restated.ts';
import { invoiceVanished } from './invoice-vanished.ts';
import { listingIncomplete } from './listing-incomplete.ts';
import { notAtCourier } from './not-at-courier.ts';
import { notInBooks } from './not-in-books.ts';
import { orderAmountDiffers } from './order-amount-differs.ts';
import { orderAtTwoCouriers } from './order-at-two-couriers.ts';
import { orderInvoiceLink } from './order-invoice-link.ts';
import { orderOnTwoInvoices } from './order-on-two-invoices.ts';
import { orderRepeated } from './order-repeated.ts';
import { orderRestated } from './order-restated.ts';
import { orderUnknown } from './order-unknown.ts';
import { orderVanished } from './order-vanished.ts';
import { paidInAnotherCurrency } from './paid-in-another-currency.ts';
import { paidStateConflict } from './paid-state-conflict.ts';
import { paymentOverdue } from './payment-overdue.ts';
import { receiptAmbiguous } from './receipt-ambiguous.ts';
import { receiptUnmatched } from './receipt-unmatched.ts';
import { remittanceMissing } from './remittance-missing.ts';
import { remittanceOver } from './remittance-over.ts';
import { remittanceShort } from './remittance-short.ts';
import { returnsUndecided } from './returns-undecided.ts';
import { stateRegressed } from './state-regressed.ts';
import { statusUnknown } from './status-unknown.ts';
import { webhookMissed } from './webhook-missed.ts';

/** A new check needs its file and a line here. */
const CATALOGUE = [
  invoiceCodTotal,
  invoiceFeeTotal,
  invoiceNet,
  invoiceOrderCount,
  invoiceListDetail,
  orderRepeated,
  orderOnTwoInvoices,
  invoiceInTwoMonths,
  paidStateConflict,
  statusUnknown,
  codWithoutDelivery,
  feeOnCancelled,
  returnsUndecided,
  paymentOverdue,
  custodyOverdue,
  impliedRate,
  paidInAnotherCurrency,
  orderAmountDiffers,
  orderInvoiceLink,
  orderUnknown,
  deliveredNotInvoiced,
  stateRegressed,
  duplicateReference,
  invoiceRestated,
  invoiceVanished,
  orderRestated,
  orderVanished,
  closedPeriodChanged,
  documentMalformed,
  listingIncomplete,
  webhookMissed,
  bookCodDiffers,
  notInBooks,
  notAtCourier,
  orderAtTwoCouriers,
  remittanceMissing,
  remittanceShort,
  remittanceOver,
  receiptUnmatched,
  receiptAmbiguous,
  feeOffTariff,
  feeNoTariff,
] as const;

/** Every check, in the order of the catalogue. */
export const CHECKS: readonly Check[] = CATALOGUE;

/** Every sentence of the checks: `words/` has a function for each in every language that the checks' files lack. */
export type CheckSentence = NonNullable<(typeof CATALOGUE)[number]['says']>;

import { NOT_COMPARED } from './not-compared.ts';

/** The order of the steps, from the invoice's stated net down to the order's record; other codes follow. */
const STEP_ORDER = [
  'invoice-net',
  'invoice-cod-total',
  'invoice-fee-total',
  'order-repeated',
  'order-on-two-invoices',
  'order-unknown',
  'cod-without-delivery',
  'fee-on-cancelled',
  NOT_COMPARED,
  'order-amount-differs',
  'order-restated',
  'book-cod-differs',
  'fee-off-tariff',
];

export function placeInBridge(code: string): number {
  return STEP_ORDER.includes(code) ? STEP_ORDER.indexOf(code) : STEP_ORDER.length;
}

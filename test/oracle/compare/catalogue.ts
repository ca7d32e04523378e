const words = (text: string): string[] => text.trim().split(/\s+/);

/** The codes that need no import. */
const OWN = words(`
  invoice-cod-total invoice-fee-total invoice-net invoice-order-count invoice-list-detail order-repeated order-on-two-invoices
  invoice-in-two-months paid-state-conflict status-unknown cod-without-delivery fee-on-cancelled payment-overdue
  order-amount-differs order-invoice-link order-unknown delivered-not-invoiced state-regressed duplicate-reference
  invoice-restated invoice-vanished order-restated order-vanished closed-period-changed document-malformed listing-incomplete
`);

/** The codes that need a file of the merchant's own; no world has one. */
export const NEED_IMPORT = words(`
  implied-rate book-cod-differs not-in-books not-at-courier remittance-missing remittance-short remittance-over
  receipt-unmatched receipt-ambiguous fee-off-tariff fee-no-tariff
`);

export const CODES: readonly string[] = [...OWN, ...NEED_IMPORT];

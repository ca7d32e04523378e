/** The codes that need no receipts and no rates. */
export const CODES: readonly string[] = `
  invoice-cod-total invoice-fee-total invoice-net invoice-order-count invoice-list-detail order-repeated order-on-two-invoices
  invoice-in-two-months paid-state-conflict status-unknown cod-without-delivery fee-on-cancelled payment-overdue
  order-amount-differs order-invoice-link order-unknown delivered-not-invoiced state-regressed duplicate-reference
  invoice-restated invoice-vanished order-restated order-vanished closed-period-changed document-malformed listing-incomplete
  book-cod-differs not-in-books fee-off-tariff fee-no-tariff
`
  .trim()
  .split(/\s+/);

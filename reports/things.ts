/** What happened to one thing, and where it comes from: on the pages about an invoice, order, receipt, run or close. */
export type ThingSentence =
  | { id: 'invoice-issued' }
  | { id: 'invoice-read'; version: number }
  | { id: 'invoice-gone' }
  | { id: 'replaced'; why: string }
  | { id: 'matched'; match: number; rule: string; rate: string | null }
  | { id: 'match-taken-away'; why: string }
  | { id: 'never-read'; why: string }
  | { id: 'never-in-order-book' }
  | { id: 'first-seen-delivered' }
  | { id: 'order-moved'; from: readonly string[]; to: readonly string[] }
  | { id: 'order-in-state'; states: readonly string[] }
  | { id: 'state'; state: string }
  | { id: 'field-in'; field: string; currency: string }
  | { id: 'receipt-whose'; whose: string | null; byHand: boolean }
  | { id: 'receipt-several-ways'; tooMany: boolean };

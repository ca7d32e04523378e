export { type Days, daysHeld } from './days-held.ts';
export {
  DIFFERENCE_KINDS,
  type DifferenceKind,
  type ManualMatch,
  outstandingOf,
  validateManualMatch,
} from './manual.ts';
export { matchReceipts } from './match-receipts.ts';
export {
  type Ambiguity,
  type Invoice,
  type InvoiceShare,
  type Match,
  type MatchInput,
  type MatchOptions,
  type MatchOutcome,
  type MatchRule,
  MOST_WAYS,
  type Receipt,
  type ReceiptShare,
  type Way,
} from './model.ts';
export { type Remittance, type RemittanceInput, type RemittanceOptions, remittanceOf } from './remittance.ts';
export { type SettledBy, type Settlement, settledBy, settlementOf } from './settlement.ts';
export { type PayerRule, type WhoseLine, whoseLine } from './whose-line.ts';

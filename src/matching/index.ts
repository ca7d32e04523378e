export { type BalanceItem, type ItemMovement, itemKey, itemsAt, restatedSince } from './balance.ts';
export { isCourierAccount, type PayerRule, whoseLine } from './courier-lines.ts';
export { worthOf } from './exchange.ts';
export {
  type DifferenceKind,
  type ManualMatch,
  outstandingOf,
  validateExchange,
  validateManualMatch,
  validatePart,
} from './manual.ts';
export { matchReceipts } from './match-receipts.ts';
export {
  type Ambiguity,
  type Invoice,
  type Match,
  type MatchInput,
  type MatchOutcome,
  type MatchRule,
  MOST_WAYS,
  type Receipt,
} from './model.ts';
export { namedElsewhere } from './named-elsewhere.ts';
export { namingPayouts } from './payout-numbers.ts';
export { type Remittance, type RemittanceInput, remittanceOf } from './remittance.ts';
export {
  type OpenAmount,
  type PlannedSettlement,
  planSettlement,
  type SettlementKind,
} from './settle.ts';
export { type SettledBy, type Settlement, settledBy, settlementOf } from './settlement.ts';
export { chainOf, type Days, daysHeld, type Gap, type HeldStatement, touches } from './statement-chain.ts';
export { type SuggestedPayer, suggestPayers } from './suggested-payers.ts';

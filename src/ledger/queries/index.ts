/** Everything that is read from a ledger: rows as async iterables of bounded memory, and totals of them. */

export { type Account, readAccount } from './account.ts';
export type { AmountsText } from './amounts.ts';
export {
  type Balance,
  type BalanceMovement,
  balanceOf,
  FLOW_NAMES,
  type Flow,
  noBalance,
  readFrozenBalances,
} from './balances/balances.ts';
export {
  type AtClose,
  bookedOn,
  bookReceipt,
  type ClosedMonth,
  dayToBook,
  type InvoiceMoney,
  type Movement,
  movementsOf,
  paidByFlag,
  type ReceiptShare,
  type ReceivedMoney,
  unallocatedMovements,
} from './balances/movements.ts';
export {
  type LoggedClose,
  readClosedDocuments,
  readClosedFigures,
  readClosedRecord,
  readCloseLog,
  readCloseOf,
  readClosesInForce,
  readMonthsRestingOn,
  readRestatedSince,
} from './closes/closes.ts';
export {
  BALANCE_FIGURES,
  type ClosingFigures,
  figureRows,
  readClosingDocuments,
  type SettledAtClose,
  TOTALS_FIGURES,
} from './closes/figures.ts';
export { findDocument, readBodies, readPacks, readPartHashes, readReferredBodies } from './evidence/bodies.ts';
export {
  type ChainPlace,
  firstEvidenceOfLastSync,
  firstEvidenceSince,
  isInChain,
  readChain,
  readChainAt,
  readEvidenceTime,
  readFigureHead,
} from './evidence/chain.ts';
export {
  type ReceivedDocument,
  readDocumentsOf,
  readInvoiceDocuments,
  readOrderDocuments,
} from './evidence/documents.ts';
export {
  type ClosePackData,
  knowsManifest,
  knowsWritten,
  readStatementBefore,
  type StatedFigures,
  type StatementData,
} from './evidence/statements.ts';
export {
  type Claim,
  type Claimed,
  findClaims,
  type InvoiceDates,
  type OrderDates,
  readClaimHistory,
  readClaims,
  readInvoiceDates,
  readOrderDates,
  readUnanswered,
} from './findings/claims.ts';
export { type EffectMove, readEffectMoves, sumOpenEffects } from './findings/effects.ts';
export {
  type FormerState,
  readFormerStates,
  readLastEvents,
  readMismatchHistory,
  readStatusesBefore,
} from './findings/history.ts';
export {
  findMismatches,
  findMismatchesBy,
  type Mismatch,
  type MismatchFilter,
  readMismatches,
  readMismatchesById,
  readMismatchesByStatus,
  readMismatchesOf,
} from './findings/mismatches.ts';
export {
  type InvoiceVersion,
  readChangedInvoices,
  readPeriods,
  readPresenceMoves,
  readPresences,
  readStatusMoves,
  readVersions,
  readVersionsOf,
} from './invoices/changes.ts';
export { sqlMonthReceived, sqlMonthTotals } from './invoices/control-totals.ts';
export { type InvoiceHistory, type Known, readInvoiceHistories } from './invoices/history.ts';
export {
  knowsInvoice,
  readInvoiceHeader,
  readInvoiceMissing,
  readInvoiceRows,
  readListedInvoices,
} from './invoices/invoice.ts';
export { type InvoiceLine, readInvoices } from './invoices/invoices.ts';
export { countOrderNews, type InvoiceNews, readInvoiceNews } from './invoices/news.ts';
export { readDeliveryTimes, readInvoiceTimes } from './invoices/times.ts';
export {
  type CurrencyTotals,
  emptyLine,
  type HeaderTotals,
  linesIn,
  type MonthTotals,
  readMonthHeaders,
  readMonthTotals,
} from './invoices/totals.ts';
export { countNewOrders, type OrderChange, readOrderChanges } from './orders/changes.ts';
export { type DeliveredAmount, type Delivery, readDeliveries, readSummedDeliveries } from './orders/deliveries.ts';
export { type NotInvoicedOrder, readNotInvoiced } from './orders/not-invoiced.ts';
export { knowsOrder, readOrderNames, readOrderRecord, readOrdersByReference } from './orders/order.ts';
export { readOrderRestatements } from './orders/restatements.ts';
export {
  type LineBesideRecord,
  type OwnAmounts,
  readLinesBesideRecords,
  readRecordCurrencies,
} from './rows/beside-records.ts';
export { readFeeGroups, readReturnGroups } from './rows/fees-and-returns.ts';
export { type RowLine, readInvoicePeriod, readRowPages } from './rows/rows.ts';
export { type LedgerReader, usingSnapshot } from './snapshot.ts';
export { monthsHeld, readKnownMonths, readListings, readOrderBook } from './sync/coverage.ts';
export { type HeldInvoice, readBookRecords, readHeldInvoices, readListedNumbers, readRunning } from './sync/held.ts';
export {
  type MonthDocument,
  type Run,
  readLastGoodSync,
  readLastRun,
  readLastSync,
  readMonthDocuments,
  readMonthRuns,
  readRun,
  readRuns,
} from './sync/runs.ts';

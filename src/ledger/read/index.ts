/** Everything that is read from a ledger: rows as async iterables of bounded memory, and totals of them. */

export { type Balance, FLOW_NAMES, type Flow, readBalances } from './balances.ts';
export {
  countNewOrders,
  firstEvidenceOfLastSync,
  firstEvidenceSince,
  type InvoiceVersion,
  type OrderChange,
  readChangedInvoices,
  readEvidenceTime,
  readOrderChanges,
  readPeriods,
  readPresenceMoves,
  readPresences,
  readStatusMoves,
  readVersions,
  readVersionsOf,
} from './changes.ts';
export {
  type Claim,
  type Claimed,
  findClaims,
  readClaimHistory,
  readClaims,
  readInvoiceDates,
  readOrderDates,
  readUnanswered,
} from './claims.ts';
export {
  type LoggedClose,
  readClosedDocuments,
  readClosedFigures,
  readClosedRecord,
  readCloseLog,
  readCloseOf,
  readClosesInForce,
  readMonthsRestingOn,
} from './closes.ts';
export {
  BALANCE_FIGURES,
  type ClosingFigures,
  figureRows,
  readClosingDocuments,
  type SettledAtClose,
  TOTALS_FIGURES,
} from './closing-figures.ts';
export {
  type FormerState,
  findDocument,
  readChainAt,
  readFormerStates,
  readLastEvents,
} from './decisions.ts';
export { type DeliveredDay, readDeliveredDays, readDeliveries, sumDeliveriesBefore } from './deliveries.ts';
export {
  knowsInvoice,
  knowsOrder,
  type ReceivedDocument,
  readDocumentsOf,
  readInvoiceDocuments,
  readOrderDocuments,
  readOrdersByReference,
  readSighting,
} from './documents.ts';
export {
  type ChainPlace,
  isInChain,
  readBodies,
  readChain,
  readFigureHead,
  readPacks,
  readPartHashes,
  readReferredBodies,
} from './evidence.ts';
export { readFeeGroups, readReturnGroups } from './groups.ts';
export { type InvoiceHistory, readInvoiceHistories } from './invoice-history.ts';
export { type InvoiceLine, readInvoices } from './invoices.ts';
export { readDeliveryTimes, readInvoiceTimes } from './lags.ts';
export {
  type ClosePackData,
  knowsManifest,
  knowsWritten,
  readStatementBefore,
  type StatedFigures,
  type StatementData,
} from './last-statement.ts';
export {
  findMismatchesBy,
  type Mismatch,
  type MismatchFilter,
  readMismatches,
  readMismatchesById,
  readMismatchesByStatus,
  readMismatchHistory,
} from './mismatches.ts';
export { monthsHeld } from './months.ts';
export {
  type AtClose,
  bookedOn,
  type ClosedMonth,
  dayToBook,
  type InvoiceMoney,
  type Movement,
  movementsOf,
  type ReceivedMoney,
} from './movements.ts';
export { countOrderNews, type InvoiceNews, readInvoiceNews, readStatusesBefore } from './news-since.ts';
export {
  type AmountsText,
  findMismatches,
  readInvoiceHeader,
  readInvoiceMissing,
  readInvoiceRows,
  readListedInvoices,
  readMismatchesOf,
  readOrderRecord,
} from './one.ts';
export { readOrderRestatements } from './order-restatements.ts';
export { type LineBesideRecord, type OwnAmounts, readLinesBesideRecords, readRecordCurrencies } from './own-lines.ts';
export {
  type HeldInvoice,
  readBookRecords,
  readHeldInvoices,
  readKnownMonths,
  readListedNumbers,
  readRunning,
} from './plan.ts';
export { type RowLine, readRowPages } from './rows.ts';
export {
  type Account,
  type MonthDocument,
  type Run,
  readAccount,
  readLastGoodSync,
  readLastSync,
  readMonthDocuments,
  readMonthRuns,
  readRun,
  readRuns,
} from './runs.ts';
export { type LedgerReader, usingSnapshot } from './snapshot.ts';
export { sqlMonthReceived, sqlMonthTotals } from './sql-totals.ts';
export {
  readListings,
  readOrderBook,
  requireSynced,
} from './synced.ts';
export {
  type CurrencyTotals,
  type HeaderTotals,
  type MonthTotals,
  readMonthHeaders,
  readMonthTotals,
} from './totals.ts';
export { readNotInvoiced } from './waiting.ts';

/** Everything that is read from a ledger: rows as async iterables of bounded memory, and totals of them. */
export { type InvoiceLine, readInvoices } from './invoices.ts';
export { type Mismatch, readMismatches, readMismatchesByStatus, readMismatchHistory } from './mismatches.ts';
export { readBookAmounts, readRowAmounts, readRows } from './rows.ts';
export {
  type Account,
  type MonthDocument,
  type Run,
  readAccount,
  readMonthDocuments,
  readMonthRuns,
  readRuns,
} from './runs.ts';
export { type LedgerReader, usingSnapshot } from './snapshot.ts';
export { sqlMonthTotals } from './sql-totals.ts';
export {
  monthsNewerThanOrderBook,
  type OrderBook,
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

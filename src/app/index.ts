/** The use cases, for programs that do what the command line does: nothing here prints, asks or ends the process. */

export { type Books, usingBooks } from './books.ts';
export { type CheckRequest, listChecks } from './check.ts';
export { checkBooks } from './check-books.ts';
export type { CheckResult } from './check-result.ts';
export { type ClosedMonth, type CloseRequest, closeBooks, type RefusedClose } from './close/close.ts';
export { type RefusedReopen, type ReopenedMonth, type ReopenRequest, reopenBooks } from './close/reopen.ts';
export { type Examined, examine } from './doctor/index.ts';
export { type Exported, exportBooks } from './export.ts';
export { makeBooks, type NewBooks } from './init.ts';
export { type Backup, type BooksCopy, backupBooks, copyBooks, ledgerGrants } from './ledger/backup.ts';
export { type NightRequest, runNight } from './night/index.ts';
export type { Night } from './night/model.ts';
export { findReport, listReports, type Report, usingReport } from './report.ts';
export { type SelfTest, selfTest } from './selftest/index.ts';
export { type StatementRequest, type WrittenStatement, writeBooksStatements } from './statement/statement.ts';
export {
  type PlannedPeriod,
  type Progress,
  planBooksSync,
  type SyncRequest,
  type SyncSummary,
  silent,
  syncBooks,
} from './sync.ts';

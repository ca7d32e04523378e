import type { CheckSettings } from '../src/checks/check.ts';
import type { BalanceBook } from '../src/checks/facts/balances/book.ts';
import type { SettlementSettings } from '../src/checks/facts/receipts/settlements.ts';
import type { RunResult } from '../src/checks/run.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';
import type { Filters } from './filters.ts';
import type { NameSettings } from './names.ts';

export interface ReportContext {
  /** A snapshot (`usingSnapshot`) that stays open until the report's last row is read. */
  readonly db: LedgerReader;
  /** Settings: payers, the payment window, what returns are worth. */
  readonly settings: SettlementSettings & CheckSettings & NameSettings;
  /** The months of the period, in order; empty for a report that needs none. */
  readonly periods: readonly string[];
  /** The period as it is printed, such as `2026-10` or `2026-Q4`. */
  readonly period: string;
  /** No period was given: receipts of months that were never synced are shown too, and custody as it is now. */
  readonly isOfAllMonths?: boolean;
  /** The past instant (`--as-of`) whose knowledge the ledger is read with; null and absent for all that is known. */
  readonly asOf?: Date | null;
  /** The first day (`--since`) of a report of events; null and absent for all days. */
  readonly since?: string | null;
  /** Which rows to show; all of them when absent. */
  readonly filters?: Filters;
  /** The number of the invoice to start at; only the report `orders` heeds it. */
  readonly from?: number;
  /** The balances, if they were read already. */
  readonly book?: BalanceBook;
  /** Runs the checks over the months and stores nothing of what they find; only the report `dashboard` needs it. */
  readonly runChecks?: () => Promise<RunResult>;
}

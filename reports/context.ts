import type { CheckSettings } from '../src/checks/check.ts';
import type { BalanceBook } from '../src/checks/facts/balances/book.ts';
import type { SettlementSettings } from '../src/checks/facts/receipts/settlements.ts';
import type { CheckResult } from '../src/checks/run.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';
import type { Filters } from './filters.ts';
import type { NameSettings } from './names.ts';

export interface ReportContext {
  /** A snapshot (`usingSnapshot`) that stays open until the report's last row is read. */
  readonly db: LedgerReader;
  /** Settings: payers, the payment window, what returns are worth. */
  readonly settings: SettlementSettings & CheckSettings & NameSettings;
  /** The months asked for, in order; empty for a report that needs none. */
  readonly periods: readonly string[];
  /** The period as it is printed, such as `2026-10` or `2026-Q4`. */
  readonly period: string;
  /** No month was asked for: a receipt of a month that was never synced is shown, too. */
  readonly isOfAllMonths?: boolean;
  /** The instant of which the ledger is, where a past one was asked for. */
  readonly asOf?: Date | null;
  /** The day from which on a report of what happened is; null and absent for all days. */
  readonly since?: string | null;
  /** What the rows are narrowed to; all of them when absent. */
  readonly filters?: Filters;
  /** The invoice to start at; only a report of invoice rows heeds it. */
  readonly from?: number;
  /** The balances, where they were read already. */
  readonly book?: BalanceBook;
  /** Runs the checks over the months and stores nothing of what they find; absent where no report asks for it. */
  readonly runChecks?: () => Promise<CheckResult>;
}

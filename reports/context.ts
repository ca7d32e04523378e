import type { SettlementSettings } from '../src/checks/receipts/settlements.ts';
import type { CheckResult } from '../src/checks/run.ts';
import type { LedgerReader } from '../src/ledger/read/index.ts';
import type { Filters } from './filters.ts';

/** What a report is made from. */
export interface ReportContext {
  /** A snapshot (`usingSnapshot`) that stays open until the report's last row is read. */
  readonly db: LedgerReader;
  /** What says which receipts are the courier's, and until when they are waited for. */
  readonly settings: SettlementSettings;
  /** The months asked for, in order; empty for a report that needs none. */
  readonly periods: readonly string[];
  /** The period as it is printed, such as `2026-10` or `2026-Q4`. */
  readonly period: string;
  /** What the rows are narrowed to; all of them when absent. */
  readonly filters?: Filters;
  /** Runs the checks over the months and stores nothing of what they find; absent where no report asks for it. */
  readonly lookAt?: () => Promise<CheckResult>;
}

import { comesAsSheets, requireMonths } from '../src/checks/facts/months.ts';
import { readSyncedMonths } from '../src/ledger/queries/sync/fetched.ts';
import type { ReportContext } from './context.ts';

/**
 * The notes on months that a report cannot show, or can show only in part. `bySheets`: the courier sends settlement
 * sheets, which no sync fetches.
 */
export type SyncedMonthsNote =
  | { id: 'months-never-synced'; months: readonly string[]; bySheets: boolean; command: string }
  | { id: 'month-listed-in-part'; month: string }
  | { id: 'invoices-not-in-report'; month: string; missing: number; listed: number };

/**
 * The months of a period that a report can show, and the notes on those for which the courier's invoices are missing.
 *
 * @throws LedgerError when it can show none of them
 */
export async function syncedMonths({
  db,
  settings,
  periods,
}: Pick<ReportContext, 'db' | 'settings' | 'periods'>): Promise<{
  months: readonly string[];
  /** The months of the period that no invoice list or settlement sheet covers. */
  uncovered: readonly string[];
  notes: SyncedMonthsNote[];
}> {
  const months = await requireMonths(db, settings, periods);
  const { incomplete, lacking, never } = await readSyncedMonths(db, periods);
  const bySheets = never.length > 0 && (await comesAsSheets(db, settings));
  const [first, last] = [never[0], never.at(-1)];
  const range = first === last ? first : `${first}..${last}`;
  const command = bySheets ? 'remit import settlement FILE' : `remit sync ${range}`;
  return {
    months,
    uncovered: never,
    notes: [
      ...(never.length === 0 ? [] : [{ id: 'months-never-synced' as const, months: never, bySheets, command }]),
      ...incomplete.map((month) => ({ id: 'month-listed-in-part' as const, month })),
      ...lacking.map(({ period: month, missing, listed }) => {
        return { id: 'invoices-not-in-report' as const, month, missing, listed };
      }),
    ],
  };
}

import { type LedgerReader, requireSynced } from '../src/ledger/queries/index.ts';

/** What is said of the months of a period that a report cannot show, or not whole. */
export type SyncedMonthsNote =
  | { id: 'month-not-in-report'; month: string }
  | { id: 'month-listed-in-part'; month: string }
  | { id: 'invoices-not-in-report'; month: string; missing: number; listed: number };

/**
 * The months of a period that a report can show, and what must be said of the others.
 *
 * @throws LedgerError when none of them was ever synced
 */
export async function syncedMonths(
  db: LedgerReader,
  periods: readonly string[],
): Promise<{ months: readonly string[]; notes: SyncedMonthsNote[] }> {
  const { synced, incomplete, lacking, never } = await requireSynced(db, periods);
  return {
    months: synced,
    notes: [
      ...never.map((month) => ({ id: 'month-not-in-report' as const, month })),
      ...incomplete.map((month) => ({ id: 'month-listed-in-part' as const, month })),
      ...lacking.map(({ period: month, missing, listed }) => {
        return { id: 'invoices-not-in-report' as const, month, missing, listed };
      }),
    ],
  };
}

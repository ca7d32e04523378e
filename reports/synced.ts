import { type LedgerReader, requireSynced } from '../src/ledger/read/index.ts';

/**
 * The months of a period that a report can show, and what must be said of the others.
 *
 * @throws LedgerError when none of them was ever synced
 */
export async function syncedMonths(
  db: LedgerReader,
  periods: readonly string[],
): Promise<{ months: readonly string[]; notes: string[] }> {
  const { synced, incomplete, lacking, never } = await requireSynced(db, periods);
  return {
    months: synced,
    notes: [
      ...never.map((month) => `${month} was never synced and is not in this report; run \`remit sync ${month}\`.`),
      ...incomplete.map(
        (month) =>
          `The last sync of ${month} did not bring every invoice that the company lists; run \`remit sync ${month}\`.`,
      ),
      ...lacking.map(
        ({ period, missing, listed }) =>
          `${missing} of the ${listed} invoices that the company lists for ${period} could not be brought or read and ${missing === 1 ? 'is' : 'are'} in no figure here; \`remit sync ${period}\` names them.`,
      ),
    ],
  };
}

import { endOfDay } from '../base/day.ts';
import { LedgerError, UsageError } from '../base/errors.ts';
import { instantForPeople, parseInstant } from '../base/instant.ts';
import { type Ledger, ofAllCouriers, readHead, wholeLedger } from '../ledger/index.ts';
import { usingSnapshot } from '../ledger/queries/snapshot.ts';
import { renameCouriers } from '../ledger/write/couriers.ts';
import { booksError } from '../words/errors/books.ts';
import { type Books, type LedgerUse, usingBooks } from './books.ts';
import { placeCouriers } from './couriers.ts';
import { booksSettings, readSettingsRecord } from './settings-record.ts';

/** Whether a text is a day without a time (`2026-11-05`): the books' time zone says when it ends. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
}

/**
 * Reads a day, or an instant of the past. A day means its end in the time zone, so that all that became known on it
 * counts; a day to come means all that is known.
 *
 * @throws UsageError for a text that is neither, and for an instant that has not come yet
 */
export function parseAsOf(text: string, now: Date, zone: string): Date {
  const trimmed = text.trim();
  if (isDay(trimmed) && parseInstant(`${trimmed}T00:00:00Z`) !== null) return endOfDay(trimmed, zone);
  const instant = trimmed.includes('T') ? parseInstant(trimmed) : null;
  if (instant === null) throw new UsageError(booksError({ id: 'no-instant', instant: text }));
  if (instant > now) throw new UsageError(booksError({ id: 'not-come-yet', instant: text }));
  return instant;
}

/**
 * Opens the ledger of the books as it is, or as it was: rebuilt from what was known by an instant. A past ledger is
 * deleted afterwards. Its clock shows that instant, so that the same question always gets the same figures.
 *
 * @param asOf null for the ledger as it is
 * @param use works on all couriers, see `couriersOf`
 * @throws LedgerError when nothing was known by then
 */
export async function usingBooksAsOf<T>(
  books: Books,
  asOf: Date | null,
  { readOnly = false }: Pick<LedgerUse, 'readOnly'>,
  use: (ledger: Ledger, books: Books) => Promise<T>,
): Promise<T> {
  if (asOf === null) return usingBooks(books, { readOnly, allCouriers: true }, use);
  // Loaded late: replay takes longer to load than most reports take to write.
  const [{ replay }, { copyEvidence }, { usingScratchLedger }] = await Promise.all([
    import('../derive/deriver.ts'),
    import('../ledger/evidence/copy.ts'),
    import('../ledger/copy.ts'),
  ]);
  return usingBooks(books, { readOnly: true, allCouriers: true }, async (ledger, { config }) => {
    const { ledgerCouriers, tables } = await placeCouriers(ledger.db, config);
    return usingScratchLedger(async (pastLedger) => {
      await usingSnapshot(ledger, async (db) => {
        await copyEvidence(db, pastLedger.db, { at: asOf });
        await replay(db, pastLedger.db, { until: { at: asOf } });
      });
      if ((await readHead(pastLedger.db)) === null) {
        const at = instantForPeople(asOf.toISOString());
        throw new LedgerError(booksError({ id: 'nothing-known-yet', ledger: ledger.name, at }));
      }
      // People know the couriers by today's names.
      await renameCouriers(wholeLedger(pastLedger.db), ledgerCouriers);
      // The settings on record at that instant, or else the first that were recorded: no record is before evidence 0.
      const record = (await readSettingsRecord(pastLedger.db)) ?? (await readSettingsRecord(ledger.db, 0));
      const past = { record, tables };
      const pastBooks = { ...books, now: () => asOf, config: { ...config, ...booksSettings(record), past } };
      // Errors name the books' ledger, not the temporary one.
      return use({ ...pastLedger, db: ofAllCouriers(pastLedger.db), name: ledger.name }, pastBooks);
    });
  });
}

import { dayIn, endOfDay } from '../base/day.ts';
import { LedgerError, UsageError } from '../base/errors.ts';
import { instantForPeople, parseInstant } from '../base/instant.ts';
import { type Ledger, ofAllCouriers, readHead, wholeLedger } from '../ledger/index.ts';
import { usingSnapshot } from '../ledger/queries/snapshot.ts';
import { takeNames } from '../ledger/write/couriers.ts';
import { because } from '../words/errors/books.ts';
import { type Books, booksOf, type LedgerUse, usingBooks } from './books.ts';
import { ledgerOf, oneCourier, placeCouriers } from './couriers.ts';
import { booksSettings, readRecord } from './settings-record.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether a text is a mere day, of which the books' time zone says when it ends. */
export function isDay(text: string): boolean {
  return DAY.test(text.trim());
}

/**
 * Reads a day or an instant of the past. A day means its end by the clock of a time zone: all that became known on it.
 *
 * @throws UsageError for a text that is neither, and for what has not come yet
 */
export function parseAsOf(text: string, now: Date, zone: string): Date {
  const trimmed = text.trim();
  const instant = isDay(trimmed) ? endOf(trimmed, zone) : trimmed.includes('T') ? parseInstant(trimmed) : null;
  if (instant === null) {
    throw new UsageError(because({ id: 'no-instant', instant: text }));
  }
  if (!isDay(trimmed) && instant > now) {
    throw new UsageError(because({ id: 'not-come-yet', instant: text }));
  }
  return instant;
}

function endOf(day: string, zone: string): Date | null {
  const noon = parseInstant(`${day}T12:00:00Z`);
  return noon && dayIn(noon, 'UTC') === day ? endOfDay(day, zone) : null;
}

/**
 * Opens the ledger of the books as it is, or as it was: rebuilt from what was known by an instant. A past ledger is deleted
 * afterwards. Its clock shows that instant, so that the same question always gets the same figures.
 *
 * @param asOf null for the ledger as it is
 * @throws LedgerError when nothing was known by then
 */
export async function usingBooksAsOf<B extends Pick<Books, 'config' | 'now'>, T>(
  books: B & Books,
  asOf: Date | null,
  how: LedgerUse,
  use: (ledger: Ledger, books: B) => Promise<T>,
): Promise<T> {
  if (asOf === null) return usingBooks(books, how, (ledger, own) => use(ledger, { ...books, ...own }));
  // Loaded late: replay takes longer to load than most reports take to write.
  const [{ replay }, { copyEvidence }, { usingScratchLedger }] = await Promise.all([
    import('../derive/replay.ts'),
    import('../ledger/evidence/copy.ts'),
    import('../ledger/scratch.ts'),
  ]);
  return usingBooks(books, { readOnly: true, allCouriers: true }, async (now, { config }) => {
    const { held, placed } = await placeCouriers(now.db, config);
    return usingScratchLedger(async (then) => {
      await usingSnapshot(now, async (db) => {
        await copyEvidence(db, then.db, { at: asOf });
        await replay(db, then.db, { until: { at: asOf } });
      });
      if ((await readHead(then.db)) === null) {
        throw new LedgerError(
          because({ id: 'nothing-known-yet', ledger: now.name, at: instantForPeople(asOf.toISOString()) }),
        );
      }
      // Somebody who asks knows the couriers by the names of today.
      await takeNames(wholeLedger(then.db), held);
      // The settings are those of the instant; where none were on record by then, the first that were.
      const past = { record: (await readRecord(then.db)) ?? (await readRecord(now.db, 0)), placed };
      const at = { ...books, now: () => asOf, config: { ...config, ...booksSettings(past.record), past } };
      if (how.allCouriers) return use({ ...then, db: ofAllCouriers(then.db), name: now.name }, at);
      const courier = await oneCourier(then, at.config);
      return use({ ...ledgerOf(then, courier), name: now.name }, { ...at, ...booksOf(at, courier) });
    });
  });
}

import { LedgerError } from '../errors.ts';
import { copyEvidence } from '../ledger/evidence/copy.ts';
import { type Ledger, readHead } from '../ledger/index.ts';
import { usingScratchLedger } from '../ledger/scratch.ts';
import { type Books, type LedgerUse, usingBooks } from './books.ts';

/**
 * Opens the ledger of the books as it is, or as it was: rebuilt from what was known by an instant. A past ledger is thrown away
 * afterwards, and its clock stands at that instant, so that it gives the same figures whenever it is asked.
 *
 * @param asOf null for the ledger as it is
 * @throws LedgerError when nothing was known by then
 */
export function usingBooksAsOf<B extends Pick<Books, 'config' | 'now'>, T>(
  books: B & Books,
  asOf: Date | null,
  how: LedgerUse,
  use: (ledger: Ledger, books: B) => Promise<T>,
): Promise<T> {
  if (asOf === null) return usingBooks(books, how, (ledger) => use(ledger, books));
  return usingBooks(books, { readOnly: true }, (now) =>
    usingScratchLedger(async (then) => {
      // Only now: what reads every kind of document takes longer to load than most reports to write.
      const { replay } = await import('../derive/replay.ts');
      await copyEvidence(now.db, then.db, asOf);
      await replay(now.db, then.db, { until: asOf });
      if ((await readHead(then.db)) === null) {
        throw new LedgerError(
          `${now.name} knew nothing yet at ${asOf.toISOString()}`,
          'Name a later day; `remit report runs` shows when it was first synced.',
        );
      }
      return use({ ...then, name: now.name }, { ...books, now: () => asOf });
    }),
  );
}

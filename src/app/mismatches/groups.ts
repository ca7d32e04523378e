import { readFirstSeen } from '../../ledger/queries/findings/history.ts';
import { findMismatchesBy, type MismatchFilter, usingSnapshot } from '../../ledger/queries/index.ts';
import { type Books, usingBooks } from '../books.ts';
import { type FoundGroup, grouped } from '../check.ts';

/** The mismatches that a filter lets through, by their causes: the most money first. */
export function readGroups(books: Books, filter: MismatchFilter): Promise<readonly FoundGroup[]> {
  return usingBooks(books, { readOnly: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => grouped(await findMismatchesBy(db, filter)).groups),
  );
}

/** Since when mismatches are known, by their ids. */
export function readAges(books: Books, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return usingBooks(books, { readOnly: true }, (ledger) => usingSnapshot(ledger, (db) => readFirstSeen(db, ids)));
}

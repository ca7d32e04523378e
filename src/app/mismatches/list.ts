import { findMismatchesBy, type Mismatch, type MismatchFilter, usingSnapshot } from '../../ledger/read/index.ts';
import { type Books, usingBooks } from '../books.ts';

export type { Mismatch, MismatchFilter };

/** The mismatches that a filter lets through, as they are stored, the worst first. Nothing is checked. */
export function listBooksMismatches(books: Books, filter: MismatchFilter): Promise<Mismatch[]> {
  return usingBooks(books, { readOnly: true }, (ledger) => usingSnapshot(ledger, (db) => findMismatchesBy(db, filter)));
}

import { readLastEvidence } from '../../ledger/queries/evidence/decided.ts';
import { readFigureHead, usingSnapshot } from '../../ledger/queries/index.ts';
import { type Books, usingBooks } from '../books.ts';

/** How far a page has seen the books: the last evidence of all, and the last that figures can depend on. */
export interface Seen {
  readonly last: number;
  readonly figures: number;
}

export function readSeen(books: Books): Promise<Seen> {
  return usingBooks(books, { readOnly: true, anyZone: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => ({
      last: await readLastEvidence(db),
      figures: (await readFigureHead(db))?.id ?? 0,
    })),
  );
}

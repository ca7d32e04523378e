import {
  type Claim,
  type Claimed,
  findMismatchesBy,
  type Mismatch,
  type MismatchFilter,
  readClaims,
  usingSnapshot,
} from '../../ledger/read/index.ts';
import { type Books, usingBooks } from '../books.ts';

export type { Claim, Claimed, Mismatch, MismatchFilter };

/** A mismatch, and what was claimed of it; null where nothing was. */
export interface ListedMismatch extends Mismatch {
  readonly claim: Omit<Claim, 'mismatch_id'> | null;
}

/** The mismatches that a filter lets through, as they are stored, the worst first. Nothing is checked. */
export function listBooksMismatches(books: Books, filter: MismatchFilter): Promise<ListedMismatch[]> {
  return usingBooks(books, { readOnly: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const found = await findMismatchesBy(db, filter);
      const claims = await readClaims(
        db,
        found.map(({ id }) => id),
      );
      return found.map((mismatch) => ({ ...mismatch, claim: shown(claims.get(mismatch.id)) }));
    }),
  );
}

function shown(claim: Claim | undefined): ListedMismatch['claim'] {
  if (!claim) return null;
  const { mismatch_id: _, ...rest } = claim;
  return rest;
}

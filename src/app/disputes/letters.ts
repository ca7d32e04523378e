import { UsageError } from '../../base/errors.ts';
import { findBody } from '../../ledger/queries/evidence/bodies.ts';
import { type LetterRecord, readLetters } from '../../ledger/queries/evidence/decided.ts';
import { findClaims, readClaimHistory, readClaims } from '../../ledger/queries/findings/claims.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { because } from '../../words/errors/deciding.ts';
import { type Books, usingBooks } from '../books.ts';
import { oneCourier } from '../couriers.ts';
import { booksHaving, booksOfMismatches } from '../each-courier.ts';
import { oneMismatch } from '../show/mismatch.ts';

/** A letter as it was sent, byte for byte, and how many other letters there are about the same mismatch or month. */
export interface KeptLetter extends LetterRecord {
  readonly courier: string;
  readonly bytes: Buffer;
  readonly others: number;
}

/** Which letter: the last one about a mismatch, or the last one about a month. */
export type LetterWanted = { readonly id: string } | { readonly month: string };

/** Reads a letter as it was sent. @throws UsageError where none is kept, or several couriers have one */
export async function readLetter(books: Books, wanted: LetterWanted): Promise<KeptLetter> {
  const name = 'id' in wanted ? wanted.id : wanted.month;
  const courierBooks =
    'id' in wanted
      ? await booksOfMismatches(books, [wanted.id])
      : await booksHaving(books, { kind: 'claim', name }, async (db) => (await lettersOf(db, wanted)).length > 0);
  return usingBooks(courierBooks, { readOnly: true }, async (ledger, { config }) => {
    const courier = (await oneCourier(ledger, config)).name;
    return usingSnapshot(ledger, async (db) => {
      const [last, ...others] = await lettersOf(db, wanted);
      if (!last) throw new UsageError(because({ id: 'no-letter-kept', what: name }));
      return { ...last, courier, bytes: (await findBody(db, last.sha256))!, others: others.length };
    });
  });
}

async function lettersOf(db: LedgerReader, wanted: LetterWanted): Promise<LetterRecord[]> {
  const letters = await readLetters(db);
  if ('id' in wanted) {
    const { id } = await oneMismatch(db, wanted.id);
    // A claim that goes on with another finding has its letter in the history of the first one.
    const sent = [...(await readClaimHistory(db, id)), ...(await readClaims(db, [id])).values()];
    const claims = new Set(sent.map(({ evidence_id }) => evidence_id));
    return letters.filter(({ claim }) => claims.has(claim));
  }
  // A claim whose findings were named by id has no months, but its findings have.
  const found = await findClaims(db, { periods: [wanted.month] });
  const claims = new Set(found.map(({ claim }) => claim.evidence_id));
  return letters.filter(
    ({ months, claim }) => months.includes(wanted.month) || (months.length === 0 && claims.has(claim)),
  );
}

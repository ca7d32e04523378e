import { UsageError } from '../../base/errors.ts';
import { findBody } from '../../ledger/queries/evidence/bodies.ts';
import { type LetterRecord, readLetters } from '../../ledger/queries/evidence/decided.ts';
import { findClaims, readClaimHistory } from '../../ledger/queries/findings/claims.ts';
import { type LedgerReader, usingSnapshot } from '../../ledger/queries/snapshot.ts';
import { because } from '../../words/errors/deciding.ts';
import { type Books, usingBooks } from '../books.ts';
import { oneCourier } from '../couriers.ts';
import { booksHaving, booksOfMismatches } from '../each-courier.ts';
import { oneMismatch } from '../show/mismatch.ts';

/** A letter that was sent, byte for byte, and how many others are of the same claims. */
export interface KeptLetter extends LetterRecord {
  readonly courier: string;
  readonly bytes: Buffer;
  readonly others: number;
}

/** Which letter: the last that holds a mismatch, or the last about a month. */
export type LetterAsked = { readonly id: string } | { readonly month: string };

/** Reads a letter as it was sent. @throws UsageError where none is kept, or several couriers have one */
export async function readLetter(books: Books, asked: LetterAsked): Promise<KeptLetter> {
  const name = 'id' in asked ? asked.id : asked.month;
  const own =
    'id' in asked
      ? await booksOfMismatches(books, [asked.id])
      : await booksHaving(books, { kind: 'claim', name }, async (db) => (await lettersOf(db, asked)).length > 0);
  return usingBooks(own, { readOnly: true }, async (ledger, { config }) => {
    const courier = (await oneCourier(ledger, config)).name;
    return usingSnapshot(ledger, async (db) => {
      const [last, ...others] = await lettersOf(db, asked);
      if (!last) throw new UsageError(because({ id: 'no-letter-kept', what: name }));
      return { ...last, courier, bytes: (await findBody(db, last.sha256))!, others: others.length };
    });
  });
}

async function lettersOf(db: LedgerReader, asked: LetterAsked): Promise<LetterRecord[]> {
  const letters = await readLetters(db);
  if ('id' in asked) {
    const { id } = await oneMismatch(db, asked.id);
    const claims = new Set((await readClaimHistory(db, id)).map(({ evidence_id }) => evidence_id));
    return letters.filter(({ claim }) => claims.has(claim));
  }
  // A claim of findings by name has no months of its own: its findings have.
  const found = await findClaims(db, { periods: [asked.month] });
  const claims = new Set(found.map(({ claim }) => claim.evidence_id));
  return letters.filter(
    ({ months, claim }) => months.includes(asked.month) || (months.length === 0 && claims.has(claim)),
  );
}

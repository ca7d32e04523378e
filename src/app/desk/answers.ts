import { appendEvidence, readBody, sealBody, usingTransaction } from '../../ledger/index.ts';
import { findAnswered } from '../../ledger/queries/evidence/decided.ts';
import { usingSnapshot } from '../../ledger/queries/index.ts';
import { type Books, usingBooks } from '../books.ts';

/** What a request was answered, kept so that the same request sent again decides nothing twice. */
export interface KeptAnswer {
  /** SHA-256 of what was asked: another request under the same key is refused. */
  readonly request: string;
  readonly answer: unknown;
}

/** The answer that was given under a key; null where there is none. @param key SHA-256 of who asked, and of the key that they gave */
export function readAnswer(books: Books, key: string): Promise<KeptAnswer | null> {
  return usingBooks(books, { readOnly: true, anyZone: true, allCouriers: true }, (ledger) =>
    usingSnapshot(ledger, async (db) => {
      const sha256 = await findAnswered(db, key);
      return sha256 === null ? null : (JSON.parse((await readBody(db, sha256)).toString('utf8')) as KeptAnswer);
    }),
  );
}

/** Keeps the answer to a request. */
export async function keepAnswer(books: Books, key: string, by: string, kept: KeptAnswer): Promise<void> {
  const body = await sealBody(Buffer.from(JSON.stringify(kept)));
  await usingBooks(books, { anyZone: true, allCouriers: true }, (ledger) =>
    usingTransaction(ledger, (trx) =>
      appendEvidence(trx, { at: books.now(), kind: 'answered', actor: by, subject: key, body }),
    ),
  );
}

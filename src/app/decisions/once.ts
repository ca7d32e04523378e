import {
  appendEvidence,
  type LedgerTransaction,
  readBody,
  sealBody,
  usingWholeTransaction,
} from '../../ledger/index.ts';
import { findAnswered } from '../../ledger/queries/evidence/decided.ts';
import { type Books, usingBooks } from '../books.ts';

/** A request for a decision. */
export interface Asked {
  /** Who sends it: `person rana`, `program BI`. */
  readonly by: string;
  /** SHA-256 of the key under which it is sent. */
  readonly key: string;
  /** SHA-256 of what is asked. */
  readonly request: string;
}

/** What a request was answered. */
interface KeptAnswer extends Pick<Asked, 'by' | 'request'> {
  readonly answer: unknown;
}

/**
 * Decides in one transaction: each step of `work` is a part of it, and so is the answer that is kept. The same request under the same key
 * gets its first answer again, wherever it was sent and whatever ended the program that decided it.
 *
 * @param asked null where the sender gave no key
 * @throws what `taken` makes where another request, or another sender, has the key; what `work` throws: then nothing is decided
 */
export function decideOnce<Answer>(
  books: Books,
  { asked, taken }: { readonly asked: Asked | null; readonly taken: () => Error },
  work: (books: Books) => Promise<Answer>,
): Promise<Answer> {
  return usingBooks(books, { anyZone: true, allCouriers: true }, (open) =>
    usingWholeTransaction(open, async (within) => {
      const trx = within.ledger.db;
      const kept = asked && (await readAnswer(trx, asked.key));
      if (kept && (kept.request !== asked.request || kept.by !== asked.by)) throw taken();
      if (kept) return kept.answer as Answer;
      const answer = await work({ ...books, within });
      if (asked) await keepAnswer(trx, asked, { answer, at: books.now() });
      return answer;
    }),
  );
}

async function readAnswer(trx: LedgerTransaction, key: string): Promise<KeptAnswer | null> {
  const sha256 = await findAnswered(trx, key);
  return sha256 === null ? null : (JSON.parse((await readBody(trx, sha256)).toString('utf8')) as KeptAnswer);
}

async function keepAnswer(
  trx: LedgerTransaction,
  { by, key, request }: Asked,
  { answer, at }: { readonly answer: unknown; readonly at: Date },
): Promise<void> {
  const kept: KeptAnswer = { by, request, answer };
  const body = await sealBody(Buffer.from(JSON.stringify(kept)));
  await appendEvidence(trx, { at, kind: 'answered', actor: by, subject: key, body });
}

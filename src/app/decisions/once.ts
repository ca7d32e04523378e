import { StaleError } from '../../base/errors.ts';
import {
  appendEvidence,
  type LedgerTransaction,
  readBody,
  sealBody,
  usingWholeTransaction,
} from '../../ledger/index.ts';
import { findAnswered, readLastEvidence } from '../../ledger/queries/evidence/decided.ts';
import { because } from '../../words/errors/deciding.ts';
import { type Books, type OpenTransaction, usingBooks } from '../books.ts';
import { listDecisions } from '../desk/decisions.ts';
import { type Effects, effectsSince } from './lines.ts';

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

/** What a decision gave, and what it did. */
export interface Decided<Answer> {
  readonly answer: Answer;
  readonly effects: Effects;
  /** The decision that can be undone: its number in the list of decisions; null where none can. */
  readonly undo: number | null;
}

export interface Deciding {
  /** Null where the sender gave no key. */
  readonly asked: Asked | null;
  /** The digest of what was shown before: it must do the same. */
  readonly seen?: string | undefined;
  /** What is thrown where another request, or another sender, has the key. */
  readonly taken: () => Error;
}

/**
 * Decides in one transaction: each step of `work` is a part of it, and so is the answer that is kept. The same request under the same key
 * gets its first answer again, wherever it was sent and whatever ended the program that decided it.
 *
 * @throws StaleError where it would do anything else than what was shown; what `work` throws: then nothing is decided
 */
export function decideOnce<Answer>(
  books: Books,
  { asked, seen, taken }: Deciding,
  work: (books: Books) => Promise<Answer>,
): Promise<Decided<Answer>> {
  return inOneTransaction(books, async (within) => {
    const trx = within.ledger.db;
    const kept = asked && (await readAnswer(trx, asked.key));
    if (kept && (kept.request !== asked.request || kept.by !== asked.by)) throw taken();
    if (kept) return kept.answer as Decided<Answer>;
    const decided = await decideIn({ ...books, within }, work);
    requireSeen(seen, decided.effects);
    if (asked) await keepAnswer(trx, asked, { answer: decided, at: books.now() });
    return decided;
  });
}

/**
 * Decides in one transaction, under no key.
 *
 * @param seen the digest of what was shown before; absent where nothing was
 * @throws StaleError where it would do anything else than what was shown; what `work` throws: then nothing is decided
 */
export function decideAsSeen<Answer>(
  books: Books,
  seen: string | undefined,
  work: (books: Books) => Promise<Answer>,
): Promise<Answer> {
  return inOneTransaction(books, async (within) => {
    const trx = within.ledger.db;
    if (seen === undefined) return work({ ...books, within });
    const before = await readLastEvidence(trx);
    const answer = await work({ ...books, within });
    requireSeen(seen, await effectsSince(trx, books.config, before));
    return answer;
  });
}

function requireSeen(seen: string | undefined, { digest }: Effects): void {
  if (seen !== undefined && seen !== digest) throw new StaleError(because({ id: 'decision-stale' }));
}

/** What a decision would do: it is made in a transaction of which nothing is kept. @throws what `work` throws */
export async function previewDecision<Answer>(
  books: Books,
  work: (books: Books) => Promise<Answer>,
): Promise<Decided<Answer>> {
  let decided: Decided<Answer> | undefined;
  const rollback = new Error('a preview keeps nothing');
  await inOneTransaction(books, async (within) => {
    decided = await decideIn({ ...books, within }, work);
    throw rollback;
  }).catch((error) => {
    if (error !== rollback) throw error;
  });
  return decided!;
}

/** The settings on record are read by each part of the work, within the transaction. */
function inOneTransaction<T>(books: Books, work: (within: OpenTransaction) => Promise<T>): Promise<T> {
  return usingBooks(books, { ignoresRecord: true, allCouriers: true }, (open) => usingWholeTransaction(open, work));
}

async function decideIn<Answer>(
  books: Books & { readonly within: OpenTransaction },
  work: (books: Books) => Promise<Answer>,
): Promise<Decided<Answer>> {
  const trx = books.within.ledger.db;
  const before = await readLastEvidence(trx);
  const answer = await work(books);
  const effects = await effectsSince(trx, books.config, before);
  const undo = (await listDecisions(books)).find(({ id, undo }) => id > before && undo !== null);
  return { answer, effects, undo: undo?.id ?? null };
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

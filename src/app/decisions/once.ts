import { StaleError } from '../../base/errors.ts';
import {
  appendEvidence,
  type LedgerTransaction,
  readBody,
  sealBody,
  usingWholeTransaction,
} from '../../ledger/index.ts';
import { findAnswered, readLastEvidence, readLastFact } from '../../ledger/queries/evidence/decided.ts';
import { decidingError } from '../../words/errors/deciding.ts';
import { type Books, type BooksInTransaction, usingBooks } from '../books.ts';
import { listDecisions } from '../desk/decision-log.ts';
import { type Effects, effectsSince } from './lines.ts';

/** A request for a decision, with the key by which it is recognised when it is sent again. */
export interface KeyedRequest {
  /** Who sends it: `person rana`, `program BI`. */
  readonly by: string;
  /** SHA-256 of the key under which it is sent. */
  readonly key: string;
  /** SHA-256 of the request's content. */
  readonly request: string;
}

/** The answer to a request, as the ledger keeps it. */
interface KeptAnswer<Answer> extends Pick<KeyedRequest, 'by' | 'request'> {
  readonly answer: Answer;
}

/** The answer of a decision, and what it did. */
export interface Decided<Answer> {
  readonly answer: Answer;
  readonly effects: Effects;
  /** The decision that can be undone: its number in the list of decisions; null where none can. */
  readonly undo: number | null;
  /** Whether checks may find something else after it. */
  readonly changesFacts: boolean;
}

interface Deciding {
  /** Null where the sender gave no key. */
  readonly asked: KeyedRequest | null;
  /** The digest of the preview that the person saw: the decision must do the same. */
  readonly seen?: string | undefined;
  /** Makes the error for a key that another request or another sender has used. */
  readonly keyTaken: () => Error;
}

/**
 * Decides at the desk, and says what was done and how it can be undone. It decides in one transaction: each step of
 * `work` is a part of it, and so is keeping the answer. If the same request comes again with the same key, it gets the
 * first answer, on any server, even if the program that decided was killed.
 *
 * @throws StaleError where it would do anything else than what was shown; what `work` throws: then nothing is decided
 */
export function decideOnce<Answer>(
  books: Books,
  { asked, seen, keyTaken }: Deciding,
  work: (books: Books) => Promise<Answer>,
): Promise<Decided<Answer>> {
  return inOneTransaction(books, async (openBooks) => {
    const trx = openBooks.within.ledger.db;
    const kept = asked && (await readAnswer<Decided<Answer>>(trx, asked.key));
    if (kept && (kept.request !== asked.request || kept.by !== asked.by)) throw keyTaken();
    if (kept) return kept.answer;
    const decided = await decideIn(openBooks, work);
    requireAsSeen(seen, decided.effects);
    if (!asked) return decided;
    const { by, key, request } = asked;
    const answered: KeptAnswer<Decided<Answer>> = { by, request, answer: decided };
    const body = await sealBody(Buffer.from(JSON.stringify(answered)));
    await appendEvidence(trx, { at: books.now(), kind: 'answered', actor: by, subject: key, body });
    return decided;
  });
}

/**
 * Decides for a command, in one transaction: it returns the answer of `work` alone, and does not keep it.
 *
 * @param seen the digest of the preview that the person saw; absent where there was none
 * @throws StaleError where it would do anything else than what was shown; what `work` throws: then nothing is decided
 */
export function decideAsSeen<Answer>(
  books: Books,
  seen: string | undefined,
  work: (books: Books) => Promise<Answer>,
): Promise<Answer> {
  return inOneTransaction(books, async (openBooks) => {
    const trx = openBooks.within.ledger.db;
    const before = await readLastEvidence(trx);
    const answer = await work(openBooks);
    if (seen !== undefined) requireAsSeen(seen, await effectsSince(trx, books.config, before));
    return answer;
  });
}

function requireAsSeen(seen: string | undefined, { digest }: Effects): void {
  if (seen !== undefined && seen !== digest) throw new StaleError(decidingError({ id: 'decision-stale' }));
}

/**
 * Makes a decision in a transaction that is rolled back, to see what it would do.
 *
 * @param seen the digest of an earlier preview
 * @throws StaleError where it would do anything else than that one showed; what `work` throws
 */
export function previewDecision<Answer>(
  books: Books,
  work: (books: Books) => Promise<Answer>,
  seen?: string,
): Promise<Decided<Answer>> {
  return keepingNothing(books, async (openBooks) => {
    const decided = await decideIn(openBooks, work);
    requireAsSeen(seen, decided.effects);
    return decided;
  });
}

/** Works in a transaction that is rolled back. */
export async function keepingNothing<T>(books: Books, work: (books: BooksInTransaction) => Promise<T>): Promise<T> {
  let done: { readonly value: T } | undefined;
  const rollback = new Error('a preview keeps nothing');
  await inOneTransaction(books, async (openBooks) => {
    done = { value: await work(openBooks) };
    throw rollback;
  }).catch((error) => {
    if (error !== rollback) throw error;
  });
  return done!.value;
}

/**
 * Works in one transaction over all couriers' rows. Each part of the work reads the settings on record itself, within
 * the transaction.
 */
function inOneTransaction<T>(books: Books, work: (books: BooksInTransaction) => Promise<T>): Promise<T> {
  return usingBooks(books, { newSettings: 'ignore', allCouriers: true }, (ledger) =>
    usingWholeTransaction(ledger, (within) => work({ ...books, within })),
  );
}

async function decideIn<Answer>(
  books: BooksInTransaction,
  work: (books: Books) => Promise<Answer>,
): Promise<Decided<Answer>> {
  const trx = books.within.ledger.db;
  const before = await readLastEvidence(trx);
  const answer = await work(books);
  const effects = await effectsSince(trx, books.config, before);
  const undoable = (await listDecisions(books)).find(({ id, undo }) => id > before && undo !== null);
  const changesFacts = (await readLastFact(trx)) > before;
  return { answer, effects, undo: undoable?.id ?? null, changesFacts };
}

async function readAnswer<Answer>(trx: LedgerTransaction, key: string): Promise<KeptAnswer<Answer> | null> {
  const sha256 = await findAnswered(trx, key);
  return sha256 === null ? null : JSON.parse((await readBody(trx, sha256)).toString('utf8'));
}

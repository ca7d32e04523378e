import { createHash } from 'node:crypto';
import type { Books } from '../../app/books.ts';
import { type Decided, decideOnce } from '../../app/decisions/once.ts';
import { because } from '../../words/errors/desk.ts';
import { Refusal } from '../refusal.ts';
import type { Uploaded } from './act.ts';

/** What makes two requests the same. */
interface Asked {
  readonly path: string;
  readonly body: unknown;
  readonly files: readonly Uploaded[];
}

interface Sent {
  /** Who sends it: a person or a program. */
  readonly by: string;
  /** Null where the sender gave none. */
  readonly key: string | null;
  readonly asked: Asked;
  /** The `stale_after` of the preview that the sender saw. */
  readonly seen: string | undefined;
}

/** SHA-256 over a request, so that another one under the same key is told from it. */
function requestOf({ path, body, files }: Asked): string {
  const hash = createHash('sha256').update(JSON.stringify([path, body, files.map(({ name }) => name)]));
  for (const { bytes } of files) hash.update(createHash('sha256').update(bytes).digest());
  return hash.digest('hex');
}

/**
 * Does a decision once: the same request under the same key gets its first answer again, and decides nothing.
 *
 * @throws Refusal 409 for another request under the key, or another sender
 */
export function once<Answer>(
  books: Books,
  { by, key, asked, seen }: Sent,
  work: (books: Books) => Promise<Answer>,
): Promise<Decided<Answer>> {
  const named = key && { by, key: createHash('sha256').update(key).digest('hex'), request: requestOf(asked) };
  const taken = () => new Refusal(409, 'key-used', because({ id: 'key-used' }));
  return decideOnce(books, { asked: named || null, seen, taken }, work);
}

/** Lets one decision be made at a time: a second one does not wait for the ledger in the middle of the first. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

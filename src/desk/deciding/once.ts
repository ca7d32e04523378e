import { createHash } from 'node:crypto';
import type { Books } from '../../app/books.ts';
import { type Decided, decideOnce } from '../../app/decisions/once.ts';
import { deskError } from '../../words/errors/desk.ts';
import { Refusal } from '../refusal.ts';
import type { Uploaded } from './route.ts';

interface KeyedRequest {
  /** The sender: `person NAME` or `program NAME`. */
  readonly by: string;
  /** The sender's name for the request, from a form or a header; null if it has none. */
  readonly key: string | null;
  /** Two requests with the same content are the same. */
  readonly content: { readonly path: string; readonly body: unknown; readonly files: readonly Uploaded[] };
  /** The `stale_after` of the preview that the sender saw. */
  readonly seen: string | undefined;
}

/** A SHA-256 of a request, by which another request under the same key is noticed. */
function digestOf({ path, body, files }: KeyedRequest['content']): string {
  const hash = createHash('sha256').update(JSON.stringify([path, body, files.map(({ name }) => name)]));
  for (const { bytes } of files) hash.update(createHash('sha256').update(bytes).digest());
  return hash.digest('hex');
}

/**
 * Makes a decision once: the same request under the same key gets its first answer again, and decides nothing.
 *
 * @throws Refusal 409 for another request under the key, or another sender
 */
export function once<Answer>(
  books: Books,
  { by, key, content, seen }: KeyedRequest,
  work: (books: Books) => Promise<Answer>,
): Promise<Decided<Answer>> {
  const keyed = key && { by, key: createHash('sha256').update(key).digest('hex'), request: digestOf(content) };
  const keyTaken = () => new Refusal(409, 'key-used', deskError({ id: 'key-used' }));
  return decideOnce(books, { asked: keyed || null, seen, keyTaken }, work);
}

/** Makes decisions one after the other, so that none is refused because another holds the ledger's lock. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

import type { Glance } from '../api/cut-list.ts';
import { ApiError } from '../errors.ts';
import type { CutPage, Page } from './answer.ts';
import { isSameAddress, type NumberedPages, numberedPages } from './page-number.ts';

/** A page that is not there any more: the list lost items, and with them the page that it had just named. */
export const GONE = Symbol('gone');

/** How much may be held of pages as large as the last one; a page of 100 orders has 130 kB. */
const MOST_BYTES = 64 * 1024 * 1024;

/** What a walk needs of a page, whatever its items are. */
export type AnyPage = Pick<Page<unknown> | CutPage<Glance>, 'count' | 'next' | 'url' | 'body'> & {
  readonly items: readonly unknown[];
};

type Fetched<P> = P | typeof GONE;

/**
 * The pages of a list, fetched before they are wanted. What is next is always what the last page names as its next; where
 * pages are numbered and a count is stated, the ones after it are guessed and asked for at once, at most `ahead` at a time.
 * A guess that proves wrong is dropped, and from there on the list is followed page after page.
 */
export class FetchAhead<P extends AnyPage> {
  readonly #fetchPage: (url: string) => Promise<P>;
  readonly #first: string;
  readonly #ahead: number;
  /** Under way or held, in the order of their pages. */
  #queue: { url: string; page: Promise<Fetched<P>> }[] = [];
  #numbered: NumberedPages | null = null;
  #itemsOnFirst = 0;
  /** The number of the page that was handed out last. */
  #at = 0;

  constructor(first: string, ahead: number, fetchPage: (url: string) => Promise<P>) {
    this.#first = first;
    this.#ahead = ahead;
    this.#fetchPage = fetchPage;
    this.#ask(first);
  }

  /** The next page, as soon as it is there. @throws whatever its request throws, except that it is gone */
  take(): Promise<Fetched<P>> {
    this.#at++;
    return (this.#queue.shift() as { page: Promise<Fetched<P>> }).page;
  }

  /** Asks for the page that this one names, and for as many after it as may be. Returns at once. */
  follow(page: P): void {
    const { items, next } = page;
    if (next === null) {
      this.#queue = [];
      return;
    }
    if (this.#at === 1) {
      this.#numbered = numberedPages(this.#first, next);
      this.#itemsOnFirst = items.length;
    }
    const [expected] = this.#queue;
    if (expected !== undefined && !isSameAddress(expected.url, next)) {
      this.#queue = [];
      this.#numbered = null;
    }
    if (this.#queue.length === 0) this.#ask(next);
    this.#guess(page);
  }

  #guess({ count, body }: P): void {
    if (this.#numbered === null || count === null || this.#itemsOnFirst === 0) return;
    const last = Math.ceil(count / this.#itemsOnFirst);
    const ahead = Math.min(this.#ahead, Math.floor(MOST_BYTES / Math.max(1, body.length)));
    while (this.#queue.length < ahead && this.#at + this.#queue.length < last) {
      this.#ask(this.#numbered.urlOf(this.#at + this.#queue.length + 1));
    }
  }

  #ask(url: string): void {
    const page = this.#fetchPage(url).catch((error: unknown) => {
      if (url !== this.#first && error instanceof ApiError && error.status === 404) return GONE;
      throw error;
    });
    // Avoids an unhandled rejection while an earlier page is worked on; awaited when it is taken.
    page.catch(() => {});
    this.#queue.push({ url, page: page as Promise<Fetched<P>> });
  }
}

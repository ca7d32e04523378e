import { ApiError } from '../base/errors.ts';
import type { CutPage, Page } from './answer.ts';

/** What `next` returns for a page that was named but no longer exists: the list lost items meanwhile. */
export const GONE = Symbol('gone');

/**
 * The most that prefetched pages may hold together, estimated by the size of the last page; a page of 100 orders has
 * 130 kB.
 */
const MAX_PREFETCHED_BYTES = 64 * 1024 * 1024;

/** What a walk needs of a page, whatever its items are. */
export type AnyPage = Pick<Page<unknown> | CutPage, 'count' | 'next' | 'url' | 'body'> & {
  readonly items: readonly unknown[];
};

type Fetched<P> = P | typeof GONE;

/**
 * The pages of a list in order, some requested before they are needed. The next page is always the one that the page
 * before names. If pages are numbered and a count is stated, the addresses of later pages are predicted, and up to
 * `ahead` of them requested. After a wrong prediction the list is followed one page at a time.
 */
export class Prefetch<P extends AnyPage> {
  readonly #fetchPage: (url: string) => Promise<P>;
  readonly #first: string;
  readonly #ahead: number;
  /** Requested pages in order, arrived or not. */
  #queue: { url: string; page: Promise<Fetched<P>> }[] = [];
  /** The address of a page by its number; null if it cannot be predicted. */
  #urlOf: ((page: number) => string) | null = null;
  #itemsOnFirst = 0;
  /** The number of the page that `next` returned last. */
  #number = 0;

  constructor(first: string, ahead: number, fetchPage: (url: string) => Promise<P>) {
    this.#first = first;
    this.#ahead = ahead;
    this.#fetchPage = fetchPage;
    this.#request(first);
  }

  /**
   * Waits for the next page: call it once, and again after each {@link requestAfter} of a page that names a next one.
   *
   * @throws what its request throws, except 404 for a page after the first
   */
  next(): Promise<Fetched<P>> {
    this.#number++;
    return this.#queue.shift()!.page;
  }

  /** Requests the page that this one names, and those predicted after it. Returns at once. */
  requestAfter(page: P): void {
    const { items, next } = page;
    if (next === null) return;
    if (this.#number === 1) {
      this.#urlOf = numberedUrl(this.#first, next);
      this.#itemsOnFirst = items.length;
    }
    const [expected] = this.#queue;
    if (expected !== undefined && !isSameAddress(expected.url, next)) {
      this.#queue = [];
      this.#urlOf = null;
    }
    if (this.#queue.length === 0) this.#request(next);
    this.#requestPredicted(page);
  }

  #requestPredicted({ count, body }: P): void {
    if (this.#urlOf === null || count === null || this.#itemsOnFirst === 0) return;
    const last = Math.ceil(count / this.#itemsOnFirst);
    const ahead = Math.min(this.#ahead, Math.floor(MAX_PREFETCHED_BYTES / Math.max(1, body.length)));
    // After page 3, with 4 and 5 in the queue, page 6 is requested.
    while (this.#queue.length < ahead && this.#number + this.#queue.length < last) {
      this.#request(this.#urlOf(this.#number + this.#queue.length + 1));
    }
  }

  #request(url: string): void {
    const page = this.#fetchPage(url).catch((error: unknown): typeof GONE => {
      if (url !== this.#first && error instanceof ApiError && error.status === 404) return GONE;
      throw error;
    });
    // Avoids an unhandled rejection before `next` awaits it.
    page.catch(() => {});
    this.#queue.push({ url, page });
  }
}

/**
 * How the addresses of numbered pages are made: the second page's address with another number. Its `page_size` may
 * differ from the first page's, because a server may cap it. A `next` with any other new parameter, such as a cursor,
 * cannot be predicted.
 *
 * @param first the address of the first page, which has no number
 * @param second what the first page names as its next
 * @returns null when the addresses cannot be predicted
 */
function numberedUrl(first: string, second: string): ((page: number) => string) | null {
  const from = new URL(first);
  const to = new URL(second);
  if (to.origin !== from.origin || to.pathname !== from.pathname) return null;
  if (from.searchParams.has('page') || to.searchParams.getAll('page').join() !== '2') return null;
  for (const [name, value] of to.searchParams) {
    if (name !== 'page' && name !== 'page_size' && !from.searchParams.getAll(name).includes(value)) return null;
  }
  return (page) => second.replace(/([?&]page=)2(?=&|$)/, `$1${page}`);
}

/** Whether two addresses differ at most in the order of their parameters. */
function isSameAddress(a: string, b: string): boolean {
  return a === b || sorted(a) === sorted(b);
}

function sorted(address: string): string {
  const url = new URL(address);
  url.searchParams.sort();
  return url.href;
}

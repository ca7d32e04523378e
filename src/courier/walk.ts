import { ContractError } from '../errors.ts';
import { cleanText } from '../text.ts';
import type { Page } from './answer.ts';
import { type AnyPage, FetchAhead, GONE } from './fetch-ahead.ts';

/** How a whole list was read. */
export interface Walk {
  /** Every page said the same `count`, and so many distinct items were seen; without a `count`, two walks saw the same items. */
  complete: boolean;
  /** `count` on the last page; null where the list states none. */
  statedCount: number | null;
  /** Distinct items of the last walk. */
  seenCount: number;
  /** How often the list was walked. */
  walks: number;
  /** Why it was not read to its end, where its pages have none; it is not `complete` then. */
  fault?: ContractError;
}

export interface WalkSource<P extends AnyPage> {
  /** The address of the first page. */
  readonly first: string;
  readonly fetchPage: (url: string) => Promise<P>;
  /** The source's own id of an item as it came, readable or not; undefined where it has none. */
  readonly idOf: (item: P['items'][number]) => string | undefined;
  /** How many pages may be under way or held at once, beside the one that `onPage` works on. */
  readonly ahead: number;
}

/**
 * Gets every page in order, with the number of the walk that it belongs to, from 1; it is awaited. Where the last walk is
 * complete, what only an earlier one held is no longer in the list.
 */
export type OnPage<T> = (page: Page<T>, walk: number) => Promise<void> | void;

/** The same of pages of any kind. */
export type OnAnyPage<P> = (page: P, walk: number) => Promise<void> | void;

const MAX_WALKS = 3;
/** So many pages without one item that is new are no list that somebody added to meanwhile. */
const MAX_BARREN_PAGES = 10;
/** A list may grow while it is read, and its count may be wrong; nobody adds as many again, and this many more, meanwhile. */
const SLACK_ITEMS = 1_000;
/** Whatever count is stated; far above any merchant's order book, and what a walk keeps in memory of it. */
const MAX_ITEMS = 2_000_000;
/** Where no count is stated. */
const MAX_COUNTLESS_PAGES = 10_000;

/** A walk that has begun: its first page is asked for. It goes on, once, with what gets its pages; one that never does costs a request. */
export type Begun<P> = (onPage: OnAnyPage<P>) => Promise<Walk>;

/**
 * Begins to walk a list that may change meanwhile. Pages are newest first and numbered, so that whatever comes or goes during the
 * walk shifts the rest: when the distinct ids and `count` disagree, or `count` moves, the list is walked again, up to
 * three times. So it is where no `count` is stated, until two walks in a row see the same items. `onPage` gets every page
 * of every walk, in order. A list whose pages do not end is left where that shows, and is not complete.
 *
 * @returns what goes on with the walk; it throws whatever a request or `onPage` throws
 */
export function beginWalk<P extends AnyPage>(source: WalkSource<P>): Begun<P> {
  const pages = pagesOf(source);
  return (onPage) => walkOn(source, pages, onPage);
}

function pagesOf<P extends AnyPage>({ first, ahead, fetchPage }: WalkSource<P>): FetchAhead<P> {
  return new FetchAhead(first, ahead, fetchPage);
}

/** @param pages those of the first walk */
async function walkOn<P extends AnyPage>(
  source: WalkSource<P>,
  pages: FetchAhead<P>,
  onPage: OnAnyPage<P>,
): Promise<Walk> {
  let before: ReadonlySet<unknown> | null = null;
  for (let walks = 1; ; walks++) {
    const onOwnPage = (page: P) => onPage(page, walks);
    const { ids, fault, ...walked } = await walkOnce(source, walks === 1 ? pages : pagesOf(source), onOwnPage);
    const complete = walked.complete || (walked.isCountless && before !== null && isSame(ids, before));
    if (complete || fault !== null || walks === MAX_WALKS) {
      const walk = { complete, statedCount: walked.statedCount, seenCount: ids.size, walks };
      return fault === null ? walk : { ...walk, fault };
    }
    before = ids;
  }
}

function isSame(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}

interface Walked {
  readonly complete: boolean;
  /** No page stated a count, and none was missing: only another walk can tell whether this one saw everything. */
  readonly isCountless: boolean;
  readonly statedCount: number | null;
  readonly ids: ReadonlySet<unknown>;
  readonly fault: ContractError | null;
}

async function walkOnce<P extends AnyPage>(
  { first, idOf }: WalkSource<P>,
  pages: FetchAhead<P>,
  onPage: (page: P) => Promise<void> | void,
): Promise<Walked> {
  const ids = new Set<unknown>();
  const counts = new Set<number | null>();
  const ending = new Ending(first);
  let page = await pages.take();
  let last = page;
  let fault: ContractError | null = null;
  while (page !== GONE) {
    last = page;
    const known = ids.size;
    // An item without a readable id is told apart from every other by itself.
    for (const item of page.items) ids.add(idOf(item) ?? Symbol());
    counts.add(page.count);
    fault = ending.faultAfter(page, ids.size > known);
    if (fault === null) pages.follow(page);
    await onPage(page);
    if (fault !== null || page.next === null) break;
    page = await pages.take();
  }
  const count = last === GONE ? null : last.count;
  // Without a stated count only a list on one page is surely whole.
  const agrees = count === null ? ending.pages === 1 : count === ids.size;
  const isWhole = counts.size === 1 && page !== GONE && fault === null;
  return { complete: agrees && isWhole, isCountless: count === null && isWhole, statedCount: count, ids, fault };
}

/** Watches whether a list comes to an end, page by page. */
class Ending {
  pages = 0;
  readonly #visited: Set<string>;
  #items = 0;
  #barren = 0;
  /** How many items may come, by the count on the first page. */
  #most = MAX_ITEMS;
  #isCounted = false;

  constructor(first: string) {
    this.#visited = new Set([first]);
  }

  /** @param isNew whether the page held an item that none before it did */
  faultAfter({ url, next, items, count }: AnyPage, isNew: boolean): ContractError | null {
    this.pages++;
    this.#items += items.length;
    this.#barren = isNew ? 0 : this.#barren + 1;
    if (this.pages === 1 && count !== null) {
      this.#most = Math.min(2 * count + SLACK_ITEMS, MAX_ITEMS);
      this.#isCounted = true;
    }
    if (next === null) return null;
    const what = this.#whatIsWrong(next, count);
    this.#visited.add(next);
    return what === null ? null : endless(url, what);
  }

  #whatIsWrong(next: string, count: number | null): string | null {
    if (this.#visited.has(next)) return `names ${cleanText(next)} as its next, which was read before`;
    if (this.#barren >= MAX_BARREN_PAGES) return `is the ${this.#barren}th in a row that holds nothing new`;
    if (this.#items > this.#most) {
      return `brings it to ${this.#items} items where ${count ?? 'no'} are stated, and names another`;
    }
    if (!this.#isCounted && this.pages >= MAX_COUNTLESS_PAGES) {
      return `is the ${this.pages}th, states no count, and names another`;
    }
    return null;
  }
}

function endless(url: string, what: string): ContractError {
  return new ContractError(
    `the list does not end: the page ${url} ${what}`,
    'Send the delivery company this message and ask for a correction of its paging.',
    { path: 'next' },
  );
}

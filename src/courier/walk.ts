import { ContractError } from '../base/errors.ts';
import { cleanText } from '../base/text.ts';
import type { Page } from './answer.ts';
import { type AnyPage, GONE, Prefetch } from './prefetch.ts';

/**
 * What reading a list brought. One walk goes from the first page to the last; a list that changed meanwhile is walked
 * again, and the last walk counts.
 */
export interface Walk {
  /**
   * Whether every page stated the same `count`, and so many were seen. Without a `count`: whether two walks saw the
   * same, or there was one page alone.
   */
  complete: boolean;
  /** `count` on the last page; null if the list states none. */
  statedCount: number | null;
  /** How many distinct items the last walk saw. */
  seenCount: number;
  /** How many times the list was walked. */
  walks: number;
  /** Why the last walk was stopped, for a list whose pages do not end; it is not `complete` then. */
  fault?: ContractError;
}

export interface WalkSource<P extends AnyPage> {
  readonly first: string;
  readonly fetchPage: (url: string) => Promise<P>;
  /** The id of an item as it came, readable or not; undefined if it has none. */
  readonly idOf: (item: P['items'][number]) => string | undefined;
  /** How many pages may be requested ahead of the one that `onPage` works on. */
  readonly ahead: number;
  /** Makes the collection of a walk's ids; absent: in memory. */
  readonly newIds?: (() => WalkedIds) | undefined;
}

/** The distinct ids that a walk saw: the keys of a map, which is on disk for a long list. Its values mean nothing. */
export interface WalkedIds {
  readonly size: number;
  has(id: string): boolean;
  set(id: string, seen: number): unknown;
  entries(): Iterable<readonly [id: string, seen: number]>;
}

/**
 * Receives every page in order, with the number of its walk, from 1, and is awaited. After a complete walk, items that
 * only an earlier walk showed are no longer in the list.
 */
export type OnAnyPage<P> = (page: P, walk: number) => Promise<void> | void;
export type OnPage<T> = OnAnyPage<Page<T>>;

const MAX_WALKS = 3;
/** A list that grows during the walk may show a page with nothing new, but not this many in a row. */
const MAX_PAGES_WITHOUT_NEW = 10;
/** A list may grow, and its count may be wrong; beyond twice the count and this many items it does not end. */
const SLACK_ITEMS = 1_000;
/** The limit whatever count is stated: far above any merchant's order book. */
const MAX_ITEMS = 50_000_000;
/** The limit if no count is stated. */
const MAX_COUNTLESS_PAGES = 10_000;

/**
 * Reads a list that may change during the walk. Pages are numbered, newest first, so an item that is added or removed
 * meanwhile shifts those after it. If the distinct ids and `count` disagree, or `count` changes, the list is walked
 * again. A list of several pages without a `count` is walked again until two walks in a row see the same items. There
 * are three walks at most. A list whose pages do not end is not complete.
 *
 * @throws whatever a request or `onPage` throws
 */
export async function walkList<P extends AnyPage>(source: WalkSource<P>, onPage: OnAnyPage<P>): Promise<Walk> {
  let lastIds: DistinctItems | null = null;
  for (let walks = 1; ; walks++) {
    const { ids, fault, ...walked } = await walkOnce(source, (page) => onPage(page, walks));
    const isComplete = walked.complete || (walked.statesNoCount && lastIds !== null && areSame(ids, lastIds));
    if (isComplete || fault !== null || walks === MAX_WALKS) {
      const walk = { complete: isComplete, statedCount: walked.statedCount, seenCount: ids.size, walks };
      return fault === null ? walk : { ...walk, fault };
    }
    lastIds = ids;
  }
}

/** The distinct items of a walk. One without a readable id counts as distinct. */
class DistinctItems {
  readonly ids: WalkedIds;
  withoutId = 0;

  constructor(ids: WalkedIds) {
    this.ids = ids;
  }

  get size(): number {
    return this.ids.size + this.withoutId;
  }

  add(id: string | undefined): void {
    if (id === undefined) this.withoutId += 1;
    else if (!this.ids.has(id)) this.ids.set(id, 1);
  }
}

function areSame(a: DistinctItems, b: DistinctItems): boolean {
  if (a.size !== b.size || a.withoutId > 0 || b.withoutId > 0) return false;
  for (const [id] of a.ids.entries()) if (!b.ids.has(id)) return false;
  return true;
}

async function walkOnce<P extends AnyPage>(
  { first, idOf, ahead, fetchPage, newIds = () => new Map<string, number>() }: WalkSource<P>,
  onPage: (page: P) => Promise<void> | void,
) {
  const pages = new Prefetch(first, ahead, fetchPage);
  const ids = new DistinctItems(newIds());
  const counts = new Set<number | null>();
  const endCheck = new EndCheck(first);
  let page = await pages.next();
  let last = page;
  let fault: ContractError | null = null;
  while (page !== GONE) {
    last = page;
    const sizeBefore = ids.size;
    for (const item of page.items) ids.add(idOf(item));
    counts.add(page.count);
    fault = endCheck.faultAfter(page, ids.size > sizeBefore);
    if (fault === null) pages.requestAfter(page);
    await onPage(page);
    if (fault !== null || page.next === null) break;
    page = await pages.next();
  }
  const count = last === GONE ? null : last.count;
  // Without a stated count only a list of one page is surely whole.
  const agrees = count === null ? endCheck.pages === 1 : count === ids.size;
  // All pages stated the same count, or none did, and the walk came to the end of the list.
  const isSteady = counts.size === 1 && page !== GONE && fault === null;
  // A steady walk without a count may have seen all: only a second walk can prove it.
  return { complete: agrees && isSteady, statesNoCount: count === null && isSteady, statedCount: count, ids, fault };
}

/** Finds out, page by page, whether a list comes to an end. */
class EndCheck {
  pages = 0;
  readonly #visited: Set<string>;
  #items = 0;
  #withoutNew = 0;
  /** How many items the list may show, by the count on its first page. */
  #maxItems = MAX_ITEMS;
  #isCounted = false;

  constructor(first: string) {
    this.#visited = new Set([first]);
  }

  /** @param isNew whether the page has an item that no earlier page has. @returns null while the list may still end */
  faultAfter({ url, next, items, count }: AnyPage, isNew: boolean): ContractError | null {
    this.pages++;
    this.#items += items.length;
    this.#withoutNew = isNew ? 0 : this.#withoutNew + 1;
    if (this.pages === 1 && count !== null) {
      this.#maxItems = Math.min(2 * count + SLACK_ITEMS, MAX_ITEMS);
      this.#isCounted = true;
    }
    if (next === null) return null;
    const what = this.#whatIsWrong(next, count);
    this.#visited.add(next);
    return what === null ? null : endless(url, what);
  }

  #whatIsWrong(next: string, count: number | null): string | null {
    if (this.#visited.has(next)) return `names ${cleanText(next)} as its next, which was read before`;
    if (this.#withoutNew >= MAX_PAGES_WITHOUT_NEW)
      return `is the ${this.#withoutNew}th in a row that holds nothing new`;
    if (this.#items > this.#maxItems) {
      return `brings it to ${this.#items} items where ${count ?? 'no'} are stated, and names another`;
    }
    if (!this.#isCounted && this.pages >= MAX_COUNTLESS_PAGES) {
      return `is the ${this.pages}th, states no count, and names another`;
    }
    return null;
  }
}

function endless(url: string, what: string): ContractError {
  const hint = 'Send the delivery company this message and ask for a correction of its paging.';
  return new ContractError(`the list does not end: the page ${url} ${what}`, hint, { path: 'next' });
}

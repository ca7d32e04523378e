import { ApiError, ContractError } from '../errors.ts';
import type { Page } from './answer.ts';

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
}

export interface WalkSource<T> {
  /** The address of the first page. */
  readonly first: string;
  readonly fetchPage: (url: string) => Promise<Page<T>>;
  /** The source's own id of an item as it came, readable or not; undefined where it has none. */
  readonly idOf: (raw: unknown) => string | undefined;
}

/**
 * Gets every page in order, with the number of the walk that it belongs to, from 1; it is awaited. Where the last walk is
 * complete, what only an earlier one held is no longer in the list.
 */
export type OnPage<T> = (page: Page<T>, walk: number) => Promise<void> | void;

const MAX_WALKS = 3;
/** So many pages without one item that is new are no list that somebody added to meanwhile. */
const MAX_BARREN_PAGES = 10;

/**
 * Walks a list that may change meanwhile. Pages are newest first and numbered, so that whatever comes or goes during the
 * walk shifts the rest: when the distinct ids and `count` disagree, or `count` moves, the list is walked again, up to
 * three times. So it is where no `count` is stated, until two walks in a row see the same items. `onPage` gets every page of every walk, in order.
 *
 * @throws ContractError when the pages lead in a circle or do not end; whatever a request or `onPage` throws
 */
export async function walkList<T>(source: WalkSource<T>, onPage: OnPage<T>): Promise<Walk> {
  let before: ReadonlySet<unknown> | null = null;
  for (let walks = 1; ; walks++) {
    const { ids, ...walked } = await walkOnce(source, (page) => onPage(page, walks));
    const complete = walked.complete || (walked.isCountless && before !== null && isSame(ids, before));
    if (complete || walks === MAX_WALKS) {
      return { complete, statedCount: walked.statedCount, seenCount: ids.size, walks };
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
}

async function walkOnce<T>(
  { first, fetchPage, idOf }: WalkSource<T>,
  onPage: (page: Page<T>) => Promise<void> | void,
): Promise<Walked> {
  const ids = new Set<unknown>();
  const counts = new Set<number | null>();
  const visited = new Set([first]);
  let barren = 0;
  let shrunk = false;
  let count: number | null = null;
  const fetchAhead = async (url: string): Promise<Page<T> | null> => {
    try {
      return await fetchPage(url);
    } catch (error) {
      // The list lost items and with them the page that it had just named.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
      shrunk = true;
      return null;
    }
  };
  for (let page: Page<T> | null = await fetchPage(first); page !== null; ) {
    const known = ids.size;
    // An item without a readable id is told apart from every other by itself.
    for (const { raw } of page.items) ids.add(idOf(raw) ?? Symbol());
    count = page.count;
    counts.add(count);
    barren = ids.size === known ? barren + 1 : 0;
    const fault = endlessness(page, visited, barren);
    const ahead: Promise<Page<T> | null> | null = page.next === null || fault !== null ? null : fetchAhead(page.next);
    // While onPage works a failed prefetch is nobody's to handle; it is when it is awaited below.
    ahead?.catch(() => {});
    await onPage(page);
    if (fault !== null) throw fault;
    if (page.next !== null) visited.add(page.next);
    page = await ahead;
  }
  // Without a stated count only a list on one page is surely whole.
  const agrees = count === null ? visited.size === 1 : count === ids.size;
  const isWhole = counts.size === 1 && !shrunk;
  return { complete: agrees && isWhole, isCountless: count === null && isWhole, statedCount: count, ids };
}

function endlessness({ url, next }: Page<unknown>, visited: ReadonlySet<string>, barren: number): ContractError | null {
  if (next === null) return null;
  if (visited.has(next)) return endless(url, `names ${next} as its next, which was read before`);
  return barren < MAX_BARREN_PAGES ? null : endless(url, `is the ${barren}th in a row that holds nothing new`);
}

function endless(url: string, what: string): ContractError {
  return new ContractError(
    `the list does not end: the page ${url} ${what}`,
    'Send the delivery company this message and ask for a correction of its paging.',
    { path: 'next' },
  );
}

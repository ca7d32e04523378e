import { ApiError, ContractError } from '../errors.ts';
import type { Page } from './answer.ts';

/** How a whole list was read. */
export interface Walk {
  /** Every page said the same `count`, and so many distinct items were seen. */
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

/** Gets every page in order; it is awaited. */
export type OnPage<T> = (page: Page<T>) => Promise<void> | void;

const MAX_WALKS = 3;
/** So many pages without one item that is new are no list that somebody added to meanwhile. */
const MAX_BARREN_PAGES = 10;

/**
 * Walks a list that may change meanwhile. Pages are newest first and numbered, so that whatever comes or goes during the
 * walk shifts the rest: when the distinct ids and `count` disagree, or `count` moves, the list is walked again, up to
 * three times. `onPage` gets every page of every walk, in order.
 *
 * @throws ContractError when the pages lead in a circle or do not end; whatever a request or `onPage` throws
 */
export async function walkList<T>(source: WalkSource<T>, onPage: OnPage<T>): Promise<Walk> {
  for (let walks = 1; ; walks++) {
    const walked = await walkOnce(source, onPage);
    if (walked.complete || walked.statedCount === null || walks === MAX_WALKS) return { ...walked, walks };
  }
}

async function walkOnce<T>({ first, fetchPage, idOf }: WalkSource<T>, onPage: OnPage<T>): Promise<Omit<Walk, 'walks'>> {
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
  return { complete: agrees && counts.size === 1 && !shrunk, statedCount: count, seenCount: ids.size };
}

function endlessness({ url, next }: Page<unknown>, visited: ReadonlySet<string>, barren: number): ContractError | null {
  if (next === null) return null;
  if (visited.has(next)) return endless(url, `names ${next} as its next, which was read before`);
  return barren < MAX_BARREN_PAGES ? null : endless(url, `is the ${barren}th in a row that holds nothing new`);
}

function endless(url: string, what: string): ContractError {
  return new ContractError(
    `The list does not end: the page ${url} ${what}`,
    'Send the delivery company this message and ask for a correction of its paging.',
    { path: 'next' },
  );
}

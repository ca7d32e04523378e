import { ContractError } from '../errors.ts';
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
export async function walkList<T>(
  source: WalkSource<T>,
  onPage: (page: Page<T>) => Promise<void> | void,
): Promise<Walk> {
  for (let walks = 1; ; walks++) {
    const walked = await walkOnce(source, onPage);
    if (walked.complete || walked.statedCount === null || walks === MAX_WALKS) return { ...walked, walks };
  }
}

async function walkOnce<T>(
  { first, fetchPage, idOf }: WalkSource<T>,
  onPage: (page: Page<T>) => Promise<void> | void,
): Promise<Omit<Walk, 'walks'>> {
  const ids = new Set<unknown>();
  const counts = new Set<number | null>();
  const visited = new Set([first]);
  let barren = 0;
  for (let page = await fetchPage(first); ; ) {
    const known = ids.size;
    // An item without a readable id is told apart from every other by itself.
    for (const { raw } of page.items) ids.add(idOf(raw) ?? Symbol());
    counts.add(page.count);
    barren = ids.size === known ? barren + 1 : 0;
    const { next } = page;
    if (next !== null && visited.has(next)) throw endless(page.url, `names ${next} as its next, which was read before`);
    if (next !== null && barren === MAX_BARREN_PAGES)
      throw endless(page.url, `is the ${barren}th in a row that holds nothing new`);
    const ahead = next === null ? null : fetchPage(next);
    // While onPage works a failed prefetch is nobody's to handle; it is when it is awaited below.
    ahead?.catch(() => {});
    await onPage(page);
    if (next === null || ahead === null) {
      // Without a stated count only a list on one page is surely whole.
      const complete = page.count === null ? visited.size === 1 : counts.size === 1 && page.count === ids.size;
      return { complete, statedCount: page.count, seenCount: ids.size };
    }
    visited.add(next);
    page = await ahead;
  }
}

function endless(url: string, what: string): ContractError {
  return new ContractError(
    `The list does not end: the page ${url} ${what}`,
    'Send the delivery company this message and ask for a correction of its paging.',
    { path: 'next' },
  );
}

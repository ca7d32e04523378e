import type { Exchange } from '../world/answers.ts';
import { readPage } from './read.ts';

/** One sync, and everything that the server showed during it. */
export interface Run {
  readonly at: Date;
  readonly shown: readonly Exchange[];
}

export interface Item<T> {
  /** The number or the order's id, where it can be read. */
  readonly key: string | null;
  /** Null when the item cannot be read. */
  readonly document: T | null;
}

/** One reading of a list, page by page. */
export interface Walk<T> {
  readonly run: number;
  readonly at: Date;
  /** It came to the last page. */
  readonly ended: boolean;
  /** What the server said that there are; null when no page was read. */
  readonly count: number | null;
  /** Every page said the same count: the list did not shift meanwhile, and hide an item behind a page that was read. */
  readonly isSteady: boolean;
  readonly items: readonly Item<T>[];
}

export const isComplete = (walk: Walk<unknown>): boolean =>
  walk.ended && walk.isSteady && walk.count === walk.items.length;

/** Complete, and every item is known by its key: what it does not hold is not there. */
export const provesAbsence = (walk: Walk<unknown>): boolean =>
  isComplete(walk) && walk.items.every(({ key }) => key !== null);

/** The walk of one list within a run; null when it was not asked for. */
export function walkOf<T>(
  run: Run,
  index: number,
  asked: (exchange: Exchange) => boolean,
  keyField: string,
  read: (item: unknown) => T | null,
): Walk<T> | null {
  // Pages may be asked for together, and the list again when it came short: the last answer of each page counts.
  const last = new Map(run.shown.filter(asked).map((exchange) => [Number(exchange.query.page ?? 1), exchange]));
  const exchanges = [...last].sort(([a], [b]) => a - b).map(([, exchange]) => exchange);
  if (exchanges.length === 0) return null;
  const pages = exchanges.map(({ status, body }) => (status === 200 ? readPage(body) : null));
  const items = pages.flatMap((page) => page?.items ?? []);
  const counts = pages.flatMap((page) => (page === null ? [] : [page.count]));
  return {
    run: index,
    at: run.at,
    ended: pages.every((each) => each !== null) && pages.at(-1)?.last === true,
    count: counts.at(-1) ?? null,
    isSteady: new Set(counts).size <= 1,
    items: items.map((item) => {
      const key = (item as Record<string, unknown>)[keyField];
      return { key: key === undefined || key === null ? null : String(key), document: read(item) };
    }),
  };
}

export const monthAsked = ({ path, query }: Exchange): string | null =>
  path === '/invoices/' ? `${query.year}-${String(query.month).padStart(2, '0')}` : null;

import { UsageError } from '../../base/errors.ts';
import { because } from '../../words/errors/desk.ts';

/** Rows of a page where the address names no limit, and the most that it may name. */
const USUAL_LIMIT = 100;
const HIGHEST_LIMIT = 1_000;
/** The most rows of a page that is drawn: more would hold up everybody else at the desk. */
const MOST_DRAWN = 300;

/** What a table's address may ask for, apart from its filters. */
export interface Asked {
  readonly limit: number;
  /** The key of the row before the first one that is wanted. */
  readonly after: string | null;
  /** Columns by which rows are sorted: `amount`, or `-amount` for the largest first. */
  readonly sort: string | null;
  /** A text that some cell holds. */
  readonly text: string | null;
}

/** What an address asks for. @throws UsageError for a limit that is no number from 1 to 1000 */
export function askedOf(query: URLSearchParams, usual = USUAL_LIMIT): Asked {
  const limit = query.get('limit');
  if (limit !== null && !isLimit(limit)) {
    throw new UsageError(because({ id: 'no-limit', limit, most: HIGHEST_LIMIT }));
  }
  return {
    limit: limit === null ? usual : Number(limit),
    after: query.get('after') || null,
    sort: query.get('sort') || null,
    text: query.get('text')?.toLowerCase() || null,
  };
}

function isLimit(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= HIGHEST_LIMIT;
}

/** What a page's address asks for, with no more rows than a page draws; its next page has the rest. */
export function drawnQuery(search: string): URLSearchParams {
  const query = new URLSearchParams(search);
  const limit = query.get('limit');
  if (limit !== null && isLimit(limit) && Number(limit) > MOST_DRAWN) query.set('limit', String(MOST_DRAWN));
  return query;
}

/** The address of the rows after one. */
export function nextAddress(path: string, query: URLSearchParams, after: string): string {
  const next = new URLSearchParams(query);
  next.set('after', after);
  return `${path}?${next}`;
}

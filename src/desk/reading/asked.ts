import { UsageError } from '../../base/errors.ts';
import { because } from '../../words/errors/desk.ts';

/** Rows of a page where the address names no limit, and the most that it may name. */
const USUAL = 100;
const MOST = 1_000;

/** What a table's address may ask for beside its filters. */
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
export function askedOf(query: URLSearchParams, usual = USUAL): Asked {
  const limit = query.get('limit');
  if (limit !== null && !(/^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MOST)) {
    throw new UsageError(because({ id: 'no-limit', limit, most: MOST }));
  }
  return {
    limit: limit === null ? usual : Number(limit),
    after: query.get('after') || null,
    sort: query.get('sort') || null,
    text: query.get('text')?.toLowerCase() || null,
  };
}

/** The address of the rows after one. */
export function nextAddress(path: string, query: URLSearchParams, after: string): string {
  const next = new URLSearchParams(query);
  next.set('after', after);
  return `${path}?${next}`;
}

import type { Books } from '../../app/books.ts';
import { UsageError } from '../../base/errors.ts';
import { deskError } from '../../words/errors/desk.ts';

/** How many rows a page has if the address names no limit, and how many it may ask for. */
const DEFAULT_LIMIT = 100;
const HIGHEST_LIMIT = 1_000;
/** The most rows of an HTML page: drawing more would hold up everybody else at the desk. */
const MOST_DRAWN = 300;

/** Which rows of a table an address asks for, apart from its filters. */
export interface TableQuery {
  readonly limit: number;
  readonly after: string | null;
  /** The column by which rows are sorted: `amount`, or `-amount` for the largest first. */
  readonly sort: string | null;
  /** A text in lower case that some cell of a row holds. */
  readonly text: string | null;
}

/** @throws UsageError for a limit that is no number from 1 to 1000 */
export function tableQueryOf(query: URLSearchParams, defaultLimit = DEFAULT_LIMIT): TableQuery {
  const limit = query.get('limit');
  if (limit !== null && !isLimit(limit)) {
    throw new UsageError(deskError({ id: 'no-limit', limit, most: HIGHEST_LIMIT }));
  }
  return {
    limit: limit === null ? defaultLimit : Number(limit),
    after: query.get('after') || null,
    sort: query.get('sort') || null,
    text: query.get('text')?.toLowerCase() || null,
  };
}

function isLimit(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= HIGHEST_LIMIT;
}

/** The parameters of an HTML page, with the limit lowered to what is drawn; its next page has the remaining rows. */
export function drawnQuery(search: string): URLSearchParams {
  const query = new URLSearchParams(search);
  const limit = query.get('limit');
  if (limit !== null && isLimit(limit) && Number(limit) > MOST_DRAWN) query.set('limit', String(MOST_DRAWN));
  return query;
}

export function nextAddress(path: string, query: URLSearchParams, after: string): string {
  const next = new URLSearchParams(query);
  next.set('after', after);
  return `${path}?${next}`;
}

/** The books narrowed to the courier of that name; unchanged without a name. */
export function booksOfCourier(books: Books, name: string | null | undefined): Books {
  return name ? { ...books, config: { ...books.config, courier: name } } : books;
}

/** A month in an address, such as `2026-10`. @throws UsageError for anything else */
export function requireMonth(text: string | undefined): string {
  if (text !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new UsageError(deskError({ id: 'no-month', month: text ?? '' }));
}

/** A SHA-256 in an address. @throws UsageError for anything else */
export function requireSha256(text: string | undefined): string {
  if (text !== undefined && /^[0-9a-f]{64}$/.test(text)) return text;
  throw new UsageError(deskError({ id: 'no-document', sha256: text ?? '' }));
}

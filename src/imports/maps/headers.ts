import { headerKey } from '../formats/characters.ts';

/** A column's header; or several that it may have, of which a file has one. */
export type Headers = string | readonly string[];

/** Stands in a proposed map for a header that a person must name. */
export const OPEN_HEADER = '...';

export function headersOf(headers: Headers): readonly string[] {
  return typeof headers === 'string' ? [headers] : headers;
}

/** What a map says of a field; completes "must be". */
export const A_HEADER = "a column's header, or a list of the headers that it may have";

/** One header, or a list of some, no two of which are alike. */
export function isHeaders(value: unknown): value is Headers {
  const isText = (one: unknown) => typeof one === 'string' && one.trim() !== '';
  if (!Array.isArray(value)) return isText(value);
  return value.length > 0 && value.every(isText) && new Set(value.map(headerKey)).size === value.length;
}

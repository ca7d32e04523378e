import { headerKey } from '../formats/text-forms.ts';

/** A column's header, or a list of those that it may have, of which a file has one. */
export type Headers = string | readonly string[];

/** In a proposed map, the place of a header that a person must name. */
export const OPEN_HEADER = '...';

export function headersOf(headers: Headers): readonly string[] {
  return typeof headers === 'string' ? [headers] : headers;
}

/** Completes "must be", for the value of a field in a map. */
export const A_HEADER = "a column's header, or a list of the headers that it may have";

/** One header, or a list of different ones. */
export function isHeaders(value: unknown): value is Headers {
  const isText = (header: unknown) => typeof header === 'string' && header.trim() !== '';
  if (!Array.isArray(value)) return isText(value);
  return value.length > 0 && value.every(isText) && new Set(value.map(headerKey)).size === value.length;
}

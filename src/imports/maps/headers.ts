import { isDeepStrictEqual } from 'node:util';
import { headerKey } from '../formats/characters.ts';
import type { ColumnMap } from './column-map.ts';

/** A column's header; or several that it may have, of which a file has one. */
export type Headers = string | readonly string[];

export function headersOf(headers: Headers): readonly string[] {
  return typeof headers === 'string' ? [headers] : headers;
}

/** What a map says of a field; completes "must be". */
export const A_HEADER = "a column's header, or a list of the headers that it may have";

/** Whether a value is one header or a list of some, no two of which are alike. */
export function isHeaders(value: unknown): value is Headers {
  const isText = (one: unknown) => typeof one === 'string' && one.trim() !== '';
  if (!Array.isArray(value)) return isText(value);
  return value.length > 0 && value.every(isText) && new Set(value.map(headerKey)).size === value.length;
}

/** Whether a map reads a file that another read before as that did: it may name more headers of a field, of which a file has one. */
export function readsAlike({ columns: was, ...before }: ColumnMap, { columns: now, ...after }: ColumnMap): boolean {
  const fields = Object.keys(was);
  if (fields.length !== Object.keys(now).length) return false;
  if (!isDeepStrictEqual(before, JSON.parse(JSON.stringify(after)))) return false;
  return fields.every((field) => {
    const keys = new Set(headersOf(now[field] ?? []).map(headerKey));
    return headersOf(was[field]!).every((header) => keys.has(headerKey(header)));
  });
}

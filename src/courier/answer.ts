import type { Static, TSchema } from '@sinclair/typebox';
import type { ContractError } from '../errors.ts';
import { contractError, faultOf } from './decode.ts';
import { readList } from './paging.ts';

/** One document, decoded, and as received. */
export interface Answer<T> {
  value: T;
  /** The body as received, decompressed. */
  body: Buffer;
  url: string;
  receivedAt: Date;
  status: number;
}

/** One page of a list, or a whole list where the API does not paginate. */
export interface Page<T> {
  items: Item<T>[];
  /** How many items the whole list has, as stated; null where nothing is. */
  count: number | null;
  /** The absolute address of the next page, on the base URL's origin; null on the last. */
  next: string | null;
  body: Buffer;
  url: string;
  receivedAt: Date;
  status: number;
}

/** An item of a list. One that is not what the spec describes is a fault of its own and leaves the others readable. */
export type Item<T> =
  | { ok: true; value: T; index: number; raw: unknown }
  | { ok: false; fault: ContractError; index: number; raw: unknown };

/**
 * Reads the body of a list in any of its shapes and decodes its items one by one; `next` is as the document has it.
 *
 * @throws ContractError when it is no list
 */
export function decodeList<S extends TSchema>(
  itemSchema: S,
  document: unknown,
): Pick<Page<Static<S>>, 'items' | 'count' | 'next'> {
  const { items, count, next } = readList(document);
  return { items: items.map(({ value, place }, index) => decodeItem(itemSchema, value, place, index)), count, next };
}

function decodeItem<S extends TSchema>(schema: S, raw: unknown, place: string, index: number): Item<Static<S>> {
  const fault = faultOf(schema, raw, place);
  if (fault !== null) return { ok: false, fault: contractError(fault), index, raw };
  return { ok: true, value: raw as Static<S>, index, raw };
}

import type { CutItem, Glance } from '../api/cut-list.ts';
import type { Item } from '../api/list.ts';
import type { ByteRange } from '../api/slice-items.ts';

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

/** One page of a list, cut into the bytes of its items; none of them is decoded. */
export interface CutPage<G extends Glance> extends Omit<Page<never>, 'items'> {
  items: readonly CutItem<G>[];
  /** Where each item is in the body. */
  ranges: readonly ByteRange[];
}

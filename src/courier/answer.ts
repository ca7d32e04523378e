import type { CutItem } from '../api/cut-list.ts';
import type { Item } from '../api/list.ts';
import type { ByteRange } from '../api/slice-items.ts';

interface Fetched {
  /** The body as received, decompressed. */
  body: Buffer;
  url: string;
  receivedAt: Date;
  status: number;
}

/** One document: decoded, and its bytes as received. */
export interface Answer<T> extends Fetched {
  value: T;
}

/** One page of a list, or a whole list if the API does not paginate it. */
export interface Page<T> extends Fetched {
  items: Item<T>[];
  /** How many items the whole list has, as the server states; null if it does not. */
  count: number | null;
  /** The absolute address of the next page, on the base URL's origin; null on the last. */
  next: string | null;
}

/** One page of a list, cut into the bytes of its items. */
export interface CutPage extends Omit<Page<never>, 'items'> {
  items: readonly CutItem[];
  /** Where each item is in the body. */
  ranges: readonly ByteRange[];
}

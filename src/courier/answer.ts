import { request } from 'undici';
import type { CutItem } from '../api/cut-list.ts';
import type { Item } from '../api/list.ts';
import type { ByteRange } from '../api/slice-items.ts';

/** One document: decoded, and its bytes as received. */
export interface Answer<T> {
  value: T;
  /** The body as received, decompressed. */
  body: Buffer;
  url: string;
  receivedAt: Date;
  status: number;
}

/** One page of a list, or a whole list if the API does not paginate it. */
export interface Page<T> {
  items: Item<T>[];
  /** How many items the whole list has, as the server states; null if it does not. */
  count: number | null;
  /** The absolute address of the next page, on the base URL's origin; null on the last. */
  next: string | null;
  body: Buffer;
  url: string;
  receivedAt: Date;
  status: number;
}

/** One page of a list, cut into the bytes of its items. */
export interface CutPage extends Omit<Page<never>, 'items'> {
  items: readonly CutItem[];
  /** Where each item is in the body. */
  ranges: readonly ByteRange[];
}

const MAX_LOGO_BYTES = 1_000_000;
const LOGO_TIMEOUT_MS = 3_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/**
 * Fetches the organisation's logo (spec, 'Organisation profile': `logo_url`). It may be on any server, so the API key
 * is not sent, redirects are not followed, and the address must be https or on the API's own origin.
 *
 * @returns the picture's bytes; null when it cannot be fetched, is no PNG or JPEG, or is over 1 MB
 */
export async function fetchLogo(logoUrl: string, baseUrl: string): Promise<Buffer | null> {
  try {
    const url = new URL(logoUrl, baseUrl);
    if (url.protocol !== 'https:' && url.origin !== new URL(baseUrl).origin) return null;
    const answer = await request(url, { signal: AbortSignal.timeout(LOGO_TIMEOUT_MS) });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (answer.statusCode !== 200 || size > MAX_LOGO_BYTES) {
        answer.body.destroy();
        return null;
      }
      chunks.push(chunk);
    }
    const picture = Buffer.concat(chunks);
    return [PNG, JPEG].some((magic) => picture.subarray(0, magic.length).equals(magic)) ? picture : null;
  } catch {
    return null;
  }
}

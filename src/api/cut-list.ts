import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { MAX_VALUES, type ParsedJson, parseJson, tooManyValues } from './json.ts';
import { type ByteRange, sliceItems } from './slice-items.ts';

/** The id of an item by the SHA-256 of its bytes; undefined for one that must be parsed. */
export type KnownId = (sha256: string) => string | undefined;

/** One item of a list, as its bytes. */
export interface CutItem {
  readonly bytes: Buffer;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** The item's id if the caller knows these bytes; else null. */
  readonly id: string | null;
  /** The parsed item; null if the caller knows its bytes. */
  readonly json: ParsedJson | null;
}

/**
 * A body that was parsed item by item: `value` is the document with 0 in place of each item, `values` and `levels` are
 * counted without them.
 */
interface CutJson extends ParsedJson {
  /** Null if the body is no list that can be cut: `value` is then the whole document. */
  readonly cut: { readonly ranges: readonly ByteRange[]; readonly items: readonly CutItem[] } | null;
}

/**
 * Parses a list as `parseJson` does, but not the items that the caller knows by the SHA-256 of their bytes: an earlier
 * sync parsed them.
 *
 * @throws SyntaxError, ContractError as `parseJson` does
 */
export function parseList(body: Buffer, knownId: KnownId): CutJson {
  if (!isUtf8(body)) throw new SyntaxError('not UTF-8');
  const ranges = sliceItems(body);
  if (ranges === null) return { ...parseJson(body), cut: null };
  const frame = parseJson(frameOf(body, ranges));
  let values = frame.values;
  const items = ranges.map(({ start, end }) => {
    const item = cutItem(body.subarray(start, end), knownId);
    values += item.json?.values ?? 0;
    if (values > MAX_VALUES) throw tooManyValues(body);
    return item;
  });
  return { ...frame, cut: { ranges, items } };
}

/** A body that is one item, as a list of one. @throws SyntaxError, ContractError as `parseJson` does */
export function cutWhole(body: Buffer, knownId: KnownId): NonNullable<CutJson['cut']> {
  return { ranges: [{ start: 0, end: body.length }], items: [cutItem(body, knownId)] };
}

function cutItem(bytes: Buffer, knownId: KnownId): CutItem {
  const sha256 = hash('sha256', bytes, 'hex');
  const id = knownId(sha256) ?? null;
  return { bytes, sha256, id, json: id === null ? parseJson(bytes) : null };
}

/** The id of an order that was cut out of a page, readable or not; undefined if it has none. */
export function cutOrderId({ id, json }: CutItem): string | undefined {
  return id ?? idIn(json?.value, 'order_id');
}

/** A field of an item as text, if it is a text or a number; else undefined. */
export function idIn(raw: unknown, field: string): string | undefined {
  const id = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[field] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

const ZERO = Buffer.from('0');

/** A body with 0 in place of each item. */
function frameOf(body: Buffer, ranges: readonly ByteRange[]): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const { start, end } of ranges) {
    pieces.push(body.subarray(from, start), ZERO);
    from = end;
  }
  pieces.push(body.subarray(from));
  return Buffer.concat(pieces);
}

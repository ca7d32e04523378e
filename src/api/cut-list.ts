import { isUtf8 } from 'node:buffer';
import { MAX_VALUES, type ParsedJson, parseJson, tooManyValues } from './json.ts';
import { type ByteRange, sliceItems } from './slice-items.ts';

/** What the bytes of an item say before they are read: its id, where they are known already and need not be. */
export interface Glance {
  readonly id: string | null;
}

/** An item of a list, cut out of its body. */
export interface CutItem<G extends Glance> {
  readonly bytes: Buffer;
  readonly glance: G;
  /** What the bytes hold; null where the glance was enough. */
  readonly json: ParsedJson | null;
}

/** A body that was parsed item by item: `value` is the document with 0 in place of each item. */
export interface CutJson<G extends Glance> extends ParsedJson {
  /** Null where the body is no list that can be cut: `value` is then the whole document. */
  readonly cut: { readonly ranges: readonly ByteRange[]; readonly items: readonly CutItem<G>[] } | null;
}

/**
 * Parses a list as `parseJson` does, without reading the items whose bytes are known already. That these were JSON once is enough:
 * what stands around them is parsed without them.
 *
 * @throws SyntaxError, ContractError as `parseJson` does
 */
export function parseList<G extends Glance>(body: Buffer, glanceAt: (item: Buffer) => G): CutJson<G> {
  if (!isUtf8(body)) throw new SyntaxError('not UTF-8');
  const ranges = sliceItems(body);
  if (ranges === null) return { ...parseJson(body), cut: null };
  const frame = parseJson(frameOf(body, ranges));
  let values = frame.values;
  const items = ranges.map(({ start, end }) => {
    const bytes = body.subarray(start, end);
    const glance = glanceAt(bytes);
    const json = glance.id === null ? parseJson(bytes) : null;
    values += json?.values ?? 0;
    if (values > MAX_VALUES) throw tooManyValues(body);
    return { bytes, glance, json };
  });
  return { ...frame, cut: { ranges, items } };
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

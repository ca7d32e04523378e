import { isUtf8 } from 'node:buffer';
import { ContractError } from '../base/errors.ts';
import { type ByteRange, COMMA, closingQuote, ENCLOSING_LEVELS, QUOTE, sliceItems } from './slice-items.ts';

/**
 * How deep an item of a list, or a document that is no list, may be nested; real ones have six levels. The levels that
 * enclose the items of a list are not counted: there may be up to {@link ENCLOSING_LEVELS} of them.
 */
export const MAX_LEVELS = 64;
/** How many values a document may hold: a page of 20,000 orders. A parsed value takes up to fifty times its bytes. */
export const MAX_VALUES = 2_000_000;

export interface ParsedJson {
  /** The document, with 0 in place of anything that is nested too deep. */
  readonly value: unknown;
  /** How many levels deep the whole document is nested. */
  readonly levels: number;
  /** An upper bound on the number of its values. */
  readonly values: number;
  /** The indexes, among the items that `sliceItems` finds, of those nested deeper than {@link MAX_LEVELS}. */
  readonly deepItems: ReadonlySet<number>;
}

const NO_ITEMS: ReadonlySet<number> = new Set();

/**
 * Parses a body within bounds, so that no document overflows the stack or takes gigabytes. Its bytes are measured
 * first, and what exceeds a bound is not parsed.
 *
 * @throws SyntaxError when it is not JSON in UTF-8 (what is nested too deep may be anything); ContractError when it
 *   holds more than {@link MAX_VALUES} values
 */
export function parseJson(body: Buffer): ParsedJson {
  if (!isUtf8(body)) throw new SyntaxError('not UTF-8');
  const { values, levels } = measure(body);
  if (values > MAX_VALUES) throw tooManyValues(body);
  if (levels <= MAX_LEVELS) return { value: parse(body), levels, values, deepItems: NO_ITEMS };
  const pruned = Buffer.from(body);
  const deepItems = new Set<number>();
  for (const [index, item] of (sliceItems(body) ?? []).entries()) {
    if (prune(pruned, item, MAX_LEVELS)) deepItems.add(index);
  }
  // Anything else that is too deep is cut off too. It is in no item: `levels` alone tells the caller of it.
  prune(pruned, { start: 0, end: pruned.length }, MAX_LEVELS + ENCLOSING_LEVELS);
  return { value: parse(pruned), levels, values, deepItems };
}

export function tooManyValues(body: Buffer): ContractError {
  const what = `more than ${MAX_VALUES.toLocaleString('en')} values in one document of ${megabytes(body.length)}`;
  const hint = 'Ask for smaller pages, or ask the delivery company why the answer is so large; it was not read.';
  return new ContractError(what, hint, { body });
}

function parse(body: Buffer): unknown {
  // JSON.parse does not accept a byte order mark.
  return JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
}

/** `[` and `{`. */
const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b;
/** `]` and `}`. */
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d;

/** Counts values, by commas and opening brackets, and levels. Stops after {@link MAX_VALUES}. */
function measure(bytes: Buffer): { values: number; levels: number } {
  let values = 1;
  let level = 0;
  let levels = 0;
  for (let at = 0; at < bytes.length && values <= MAX_VALUES; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = closingQuote(bytes, at + 1);
    else if (byte === COMMA) values++;
    else if (isOpening(byte)) {
      values++;
      if (++level > levels) levels = level;
    } else if (isClosing(byte)) level--;
  }
  return { values, levels };
}

/**
 * Overwrites what is nested too deep in a part of a document with a 0 and blanks, so that no other byte moves.
 *
 * @returns whether anything was nested too deep
 */
function prune(bytes: Buffer, { start, end }: ByteRange, maxLevels: number): boolean {
  let level = 0;
  let from = -1;
  let found = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = closingQuote(bytes, at + 1);
    else if (isOpening(byte)) {
      if (++level === maxLevels + 1) from = at;
    } else if (isClosing(byte)) {
      if (level === maxLevels + 1) {
        bytes.fill(0x20, from, at + 1);
        bytes[from] = 0x30;
        found = true;
      }
      level -= 1;
    }
  }
  return found;
}

/** Formats a size: `31.9 MB`, a MB being 1,048,576 bytes. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')} MB`;
}

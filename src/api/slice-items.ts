/** A part of a body, in bytes: from `start` up to but not including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the exact bytes of each item of a list in its body, in the order of `decodeList` and in the same nested forms
 * (spec, 'Common conventions'). One pass over the bytes; nothing is parsed.
 *
 * @param body in UTF-8, with or without a byte order mark; the caller checks that it is JSON
 * @returns null when the body is no list that `decodeList` reads
 */
export function sliceItems(body: Buffer): ByteRange[] | null {
  const scanner = new Scanner(body);
  try {
    const document = scanner.document();
    if (document.kind === 'array') return itemsOf(document);
    // `results` is either the list or an inner wrapper, whose `results` are the items.
    const results = document.kind === 'object' ? document.results : null;
    if (results?.kind === 'array') return itemsOf(results);
    return results?.kind === 'object' ? elementsOf(results.results) : null;
  } catch (error) {
    if (error === BROKEN) return null;
    throw error;
  }
}

interface Scalar {
  readonly kind: 'scalar';
  readonly range: ByteRange;
}
interface FoundArray {
  readonly kind: 'array';
  readonly range: ByteRange;
  readonly elements: readonly ByteRange[];
  /** The elements' content, if all are arrays or all are objects with `results`; otherwise null. */
  readonly inner: readonly Found[] | null;
}
interface FoundObject {
  readonly kind: 'object';
  readonly range: ByteRange;
  /** The member of that name, the last one as in `JSON.parse`; null if there is none. */
  readonly results: Found | null;
}
type Found = Scalar | FoundArray | FoundObject;

/** The items of a list, which may be one level deeper: `[[a], [b]]` or `[{results: [a, b]}]`. */
function itemsOf({ elements, inner }: FoundArray): ByteRange[] | null {
  if (inner === null) return [...elements];
  const items: ByteRange[] = [];
  for (const each of inner) {
    const innerItems = elementsOf(each.kind === 'object' ? each.results : each);
    if (innerItems === null) return null;
    for (const range of innerItems) items.push(range);
  }
  return items;
}

function elementsOf(found: Found | null): ByteRange[] | null {
  return found?.kind === 'array' ? [...found.elements] : null;
}

const BROKEN = Symbol('no JSON');

export const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const RESULTS = Buffer.from('results');
/** How many levels of lists and objects may enclose an item: `{results: [{results: [item]}]}`. */
export const ENCLOSING_LEVELS = 4;

/** Reads the outer levels of a document and skips everything below them. */
class Scanner {
  readonly #bytes: Buffer;
  /** The index of the next byte. */
  #at: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#at = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  }

  document(): Found {
    const found = this.#value(ENCLOSING_LEVELS);
    if (this.#next() !== undefined) throw BROKEN;
    return found;
  }

  /** @param levels how many levels of lists and objects to read */
  #value(levels: number): Found {
    const first = this.#next();
    if (levels > 0 && first === OPEN_ARRAY) return this.#array(levels - 1);
    if (levels > 0 && first === OPEN_OBJECT) return this.#object(levels - 1);
    return { kind: 'scalar', range: this.#skip() };
  }

  #array(levels: number): FoundArray {
    const start = this.#at++;
    const elements: ByteRange[] = [];
    // The elements, while each may hold items; null once they are items themselves, which are passed unread.
    let inner: Found[] | null = levels === 0 ? null : [];
    if (this.#next() !== CLOSE_ARRAY) {
      do {
        if (inner === null) {
          elements.push(this.#skip());
          continue;
        }
        const element: Found = this.#value(levels);
        elements.push(element.range);
        if (holdsItems(element) && (inner[0] ?? element).kind === element.kind) inner.push(element);
        else inner = null;
      } while (this.#separator(CLOSE_ARRAY));
    } else this.#at++;
    return { kind: 'array', range: { start, end: this.#at }, elements, inner: elements.length > 0 ? inner : null };
  }

  #object(levels: number): FoundObject {
    const start = this.#at++;
    let results: Found | null = null;
    if (this.#next() !== CLOSE_OBJECT) {
      do {
        if (this.#next() !== QUOTE) throw BROKEN;
        const name = this.#skip();
        if (this.#next() !== COLON) throw BROKEN;
        this.#at++;
        if (this.#isResults(name)) results = this.#value(levels);
        else this.#skip();
      } while (this.#separator(CLOSE_OBJECT));
    } else this.#at++;
    return { kind: 'object', range: { start, end: this.#at }, results };
  }

  /** Passes a comma or the closing bracket. @returns whether it was a comma */
  #separator(close: number): boolean {
    const byte = this.#next();
    if (byte !== COMMA && byte !== close) throw BROKEN;
    this.#at++;
    return byte === COMMA;
  }

  #isResults({ start, end }: ByteRange): boolean {
    const name = this.#bytes.subarray(start + 1, end - 1);
    return name.includes(BACKSLASH) ? unescaped(name) === 'results' : name.equals(RESULTS);
  }

  /** Passes white space. @returns the byte after it; undefined at the end */
  #next(): number | undefined {
    const bytes = this.#bytes;
    let at = this.#at;
    let byte = bytes[at];
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) byte = bytes[++at];
    this.#at = at;
    return byte;
  }

  /** Skips one value, however deep. */
  #skip(): ByteRange {
    const bytes = this.#bytes;
    this.#next();
    const start = this.#at;
    let at = start;
    let depth = 0;
    do {
      const byte = bytes[at];
      if (byte === undefined) throw BROKEN;
      at++;
      if (byte === QUOTE) at = closingQuote(bytes, at) + 1;
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
      else if (depth === 0) at = endOfScalar(bytes, at);
    } while (depth > 0);
    if (depth < 0 || at === start || at > bytes.length) throw BROKEN;
    this.#at = at;
    return { start, end: at };
  }
}

function holdsItems(found: Found): boolean {
  return found.kind === 'array' || (found.kind === 'object' && found.results !== null);
}

/** @param at the first byte inside the string @returns the index of its closing quote, or the end if there is none */
export function closingQuote(bytes: Buffer, at: number): number {
  for (let i = at; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) return i;
    if (byte === BACKSLASH) i++;
  }
  return bytes.length;
}

/** The index after a number, `true`, `false` or `null`. */
function endOfScalar(bytes: Buffer, at: number): number {
  let end = at;
  for (;;) {
    const byte = bytes[end];
    const isEnd = byte === undefined || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT || byte <= 0x20;
    if (isEnd) return end;
    end++;
  }
}

function unescaped(name: Buffer): unknown {
  try {
    return JSON.parse(`"${name.toString('utf8')}"`);
  } catch {
    throw BROKEN;
  }
}

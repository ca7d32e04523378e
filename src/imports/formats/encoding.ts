import iconv from 'iconv-lite';
import { workbooksError } from '../../words/errors/workbooks.ts';
import { FileFault, type PlaceInFile } from './fault.ts';
import { splitLines } from './text-forms.ts';

/** A code page's number, with the names under which it is known: `cp1256`, `windows-1256`. */
const CODE_PAGE = /^(?:cp|ibm|dos|windows|win|ms)?-?(437|720|737|775|850|852|855|857|858|86[0-5]|869|874|125[0-8])$/;
/** Read as Western Windows (1252), as on the web: what calls itself Latin 1 has its quotes, dashes and €. */
const LATIN_1 = /^(iso-?8859-?1|latin-?1)$/;

/** Bytes without a character in a code page decode to these (C1 controls, U+FFFD), and no honest text has them. */
const UNDECODABLE = /[\u0080-\u009F\uFFFD]/;

/**
 * Decodes a file's text. Tried in this order: the byte order mark, UTF-16's pattern of NUL bytes, strict UTF-8, the
 * encoding that the file declares, or else that of the column map. Nothing is replaced: bytes that mean no character
 * are a fault.
 *
 * @param declared the encoding that an XML prolog or OFX header declares; null if there is none
 * @param mapEncoding the encoding of the column map
 * @throws FileFault for the first byte that means no character
 */
export function decodeText(bytes: Uint8Array, declared: string | null, mapEncoding: string | null): string {
  const unicode = byMark(bytes) ?? byNulPattern(bytes) ?? tryUtf8(bytes);
  if (unicode !== null) return unicode;
  for (const encoding of [declared, mapEncoding]) {
    if (encoding === null || /^(utf-?8|us-?ascii|ascii)$/i.test(encoding)) continue;
    const text = decodeAs(bytes, encoding);
    if (!UNDECODABLE.test(text)) return text;
    throw new FileFault(workbooksError({ id: 'bytes-mean-nothing', encoding }), placeOfFirst(text, UNDECODABLE));
  }
  throw new FileFault(workbooksError({ id: 'encoding-unsaid' }), placeOfNoUtf8(bytes));
}

export function isKnownEncoding(name: string): boolean {
  try {
    decodeAs(new Uint8Array(), name);
    return true;
  } catch {
    return false;
  }
}

function byMark(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) {
    const afterMark = bytes.subarray(3);
    const text = tryUtf8(afterMark);
    if (text === null) throw new FileFault(workbooksError({ id: 'says-utf8' }), placeOfNoUtf8(afterMark));
    if (text.includes('\0')) throw new FileFault(workbooksError({ id: 'holds-nul' }), placeOfFirst(text, /\0/));
    return text;
  }
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff)) {
    throw new FileFault(workbooksError({ id: 'utf32' }));
  }
  if (a === 0xff && b === 0xfe) return utf16(bytes.subarray(2), 'utf-16le');
  if (a === 0xfe && b === 0xff) return utf16(bytes.subarray(2), 'utf-16be');
  return null;
}

/**
 * UTF-16 without a mark: its digits, separators and line ends have NULs, all in the same half of the byte pairs. Fewer
 * NULs than one in twenty bytes are damage.
 */
function byNulPattern(bytes: Uint8Array): string | null {
  const nuls = [0, 0];
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) nuls[at % 2]! += 1;
  const [even = 0, odd = 0] = nuls;
  if (even + odd === 0) return null;
  if (Math.min(even, odd) > 0 || Math.max(even, odd) < bytes.length / 20) {
    throw new FileFault(workbooksError({ id: 'holds-nul' }), placeOfFirst(Buffer.from(bytes).toString('latin1'), /\0/));
  }
  return utf16(bytes, odd > 0 ? 'utf-16le' : 'utf-16be');
}

function utf16(bytes: Uint8Array, label: string): string {
  if (bytes.length % 2 === 1) {
    const place = placeOfFirst(`${new TextDecoder(label).decode(bytes.subarray(0, -1))}\0`, /\0$/);
    throw new FileFault(workbooksError({ id: 'utf16-cut' }), place);
  }
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const place = placeOfFirst(new TextDecoder(label).decode(bytes), /\uFFFD/);
    throw new FileFault(workbooksError({ id: 'no-utf16' }), place);
  }
}

function tryUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function decodeAs(bytes: Uint8Array, encoding: string): string {
  const name = encoding.trim().toLowerCase();
  // Node 20's TextDecoder reads the quotes and € of code pages as controls; iconv reads them on every Node.
  const codePage = LATIN_1.test(name) ? '1252' : CODE_PAGE.exec(name)?.[1];
  if (codePage !== undefined) return iconv.decode(Buffer.from(bytes), `cp${codePage}`);
  try {
    return new TextDecoder(name).decode(bytes);
  } catch {
    throw new FileFault(workbooksError({ id: 'encoding-unknown', encoding }));
  }
}

/** The place of a pattern's first match: the line, and the character in it, both counted from 1. */
export function placeOfFirst(text: string, pattern: RegExp): PlaceInFile {
  const lines = splitLines(text.slice(0, Math.max(0, text.search(pattern))));
  return { line: lines.length, column: `character ${[...lines.at(-1)!].length + 1}` };
}

const placeOfNoUtf8 = (bytes: Uint8Array): PlaceInFile => placeOfFirst(Buffer.from(bytes).toString('utf8'), /\uFFFD/);

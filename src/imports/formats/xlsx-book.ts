import { because } from '../../words/errors/workbooks.ts';
import { FileFault } from './fault.ts';
import { type XmlHandlers, xmlReader } from './xml.ts';
import { unpack, type ZipEntry } from './zip.ts';

const MOST_STRINGS = 64 * 1024 * 1024;

/** A workbook's sheet, found but not read. */
export interface SheetInfo {
  readonly name: string;
  readonly hidden: boolean;
  readonly part: string;
}

const IGNORE: XmlHandlers = { open() {}, close() {}, text() {} };

/** What a workbook's own parts say of its sheets. */
export interface Book {
  readonly sheets: readonly SheetInfo[];
  readonly from1904: boolean;
  readonly strings: string | null;
  readonly styles: string | null;
}

/** The list of sheets, the date system, and where texts and styles are kept. @throws FileFault when it is no workbook */
export function readBook(bytes: Uint8Array, find: (name: string) => ZipEntry | undefined): Book {
  const entry = find('xl/workbook.xml');
  const relations = find('xl/_rels/workbook.xml.rels');
  if (!entry || !relations) throw new FileFault(because({ id: 'no-workbook' }));
  const targets = new Map<string, { type: string; part: string }>();
  readPart(bytes, relations, {
    ...IGNORE,
    open({ name, attributes }) {
      if (name !== 'Relationship') return;
      const target = attributes.Target ?? '';
      const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`.replace('xl/../', '');
      targets.set(attributes.Id ?? '', { type: (attributes.Type ?? '').split('/').at(-1)!, part });
    },
  });
  const sheets: SheetInfo[] = [];
  let from1904 = false;
  readPart(bytes, entry, {
    ...IGNORE,
    open({ name, attributes }) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1] ?? '';
      const target = targets.get(id);
      if (target?.type !== 'worksheet') return;
      sheets.push({ name: attributes.name ?? '', hidden: /hidden/i.test(attributes.state ?? ''), part: target.part });
    },
  });
  const partOf = (type: string) => [...targets.values()].find((target) => target.type === type)?.part ?? null;
  return { sheets, from1904, strings: partOf('sharedStrings'), styles: partOf('styles') };
}

/** The texts that the sheets' cells refer to. */
export function readStrings(bytes: Uint8Array, entry: ZipEntry | undefined): readonly string[] {
  const strings: string[] = [];
  if (!entry) return strings;
  let text = '';
  let size = 0;
  let inText = false;
  let phonetic = 0;
  readPart(bytes, entry, {
    open({ name }) {
      if (name === 'si') text = '';
      if (name === 'rPh') phonetic += 1;
      if (name === 't') inText = phonetic === 0;
    },
    text(part) {
      if (!inText) return;
      size += part.length;
      if (size > MOST_STRINGS) throw new FileFault(because({ id: 'texts-too-long' }));
      text += part;
    },
    close(name) {
      if (name === 't') inText = false;
      if (name === 'rPh') phonetic -= 1;
      if (name === 'si') strings.push(unescapeText(text));
    },
  });
  return strings;
}

/** Which cell styles show their number as a date. */
export function readDateStyles(bytes: Uint8Array, entry: ZipEntry | undefined): readonly boolean[] {
  const styles: boolean[] = [];
  if (!entry) return styles;
  const codes = new Map<number, string>();
  let inCells = false;
  readPart(bytes, entry, {
    ...IGNORE,
    open({ name, attributes }) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      if (name === 'cellXfs') inCells = true;
      if (name !== 'xf' || !inCells) return;
      const id = Number(attributes.numFmtId ?? 0);
      styles.push(isDateFormat(id, codes.get(id)));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return styles;
}

/** Reads one XML part of a workbook as it is unpacked, so that a large sheet is never held whole. */
export function readPart(bytes: Uint8Array, entry: ZipEntry, handlers: XmlHandlers): void {
  const reader = xmlReader(ownElements(handlers), entry.name);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new FileFault(because({ id: 'part-not-utf8', part: entry.name }));
    }
  };
  unpack(bytes, entry, (chunk) => reader.write(decode(chunk)));
  reader.write(decode());
  reader.end();
}

/** Passes over elements of other namespaces: later versions extend a workbook with elements of the same names. */
function ownElements(handlers: XmlHandlers): XmlHandlers {
  let namespace = '';
  const own: boolean[] = [];
  return {
    open(tag, depth) {
      if (depth === 1) namespace = tag.namespace;
      own.push(tag.namespace === namespace);
      if (own.at(-1)) handlers.open(tag, depth);
    },
    text(text) {
      if (own.at(-1)) handlers.text(text);
    },
    close(name, depth) {
      if (own.pop()) handlers.close(name, depth);
    },
  };
}

/** Built-in number formats that are dates or times; the rest are in the workbook's own list. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
const EAST_ASIAN_DATES: readonly [number, number][] = [
  [27, 36],
  [50, 58],
];

/** Whether a number format shows a date: it has a day, month, year or hour outside quotes, escapes and brackets. */
function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) {
    return DATE_FORMATS.has(id) || EAST_ASIAN_DATES.some(([first, last]) => id >= first && id <= last);
  }
  const bare = (code.split(';')[0] ?? '').replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return !/^general$/i.test(bare.trim()) && /[dmyhs]/i.test(bare.replace(/e[+-]0+/gi, ''));
}

/** The text of a shared or inline string: `_x000D_` is an escaped character, `_x005F_` an escaped underscore. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}

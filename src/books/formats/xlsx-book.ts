import { FileFault } from './fault.ts';
import { isDateFormat, unescapeText } from './xlsx-cells.ts';
import { NOT_A_WORKBOOK, readPart } from './xlsx-part.ts';
import type { XmlHandlers } from './xml.ts';
import type { ZipEntry } from './zip.ts';

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
  if (!entry || !relations) throw new FileFault('it is an archive, not a workbook', NOT_A_WORKBOOK);
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
      if (size > MOST_STRINGS) throw new FileFault('its texts are too long to be read', 'Export it in parts.');
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

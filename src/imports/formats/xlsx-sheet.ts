/**
 * Reads the XML of a workbook's parts. In a sheet, a `row` has cells `c`; a cell has its formula `f` and its value `v`,
 * or a text in pieces `t`. The texts that cells share are `si`, in pieces `t` too. In both, `rPh` is a phonetic hint,
 * which is no part of the text.
 */
import { workbooksError } from '../../words/errors/workbooks.ts';
import { isoDay } from './date-text.ts';
import { FileFault } from './fault.ts';
import { type FileCell, textOf } from './table.ts';
import { type XmlHandlers, xmlReader } from './xml.ts';
import { unpackEntry, type ZipEntry } from './zip.ts';

const MOST_TEXT_CHARACTERS = 64 * 1024 * 1024;

/** A workbook's sheet that is not read yet; `part` is its file in the ZIP. */
export interface SheetInfo {
  readonly name: string;
  readonly isHidden: boolean;
  readonly part: string;
}

/** Handlers for the events of a part in which nothing is looked for. */
const IGNORE: XmlHandlers = { open() {}, close() {}, text() {} };

/**
 * A workbook's list of sheets, and the parts with the texts and cell styles that they share; undefined if it has none.
 *
 * @throws FileFault when the ZIP is no workbook
 */
export function readWorkbookParts(bytes: Uint8Array, find: (name: string) => ZipEntry | undefined) {
  const entry = find('xl/workbook.xml');
  const relations = find('xl/_rels/workbook.xml.rels');
  if (!entry || !relations) throw new FileFault(workbooksError({ id: 'no-workbook' }));
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
  /** Dates are counted from 1904, as those of old Macs are. */
  let from1904 = false;
  readPart(bytes, entry, {
    ...IGNORE,
    open({ name, attributes }) {
      if (name === 'workbookPr') from1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1] ?? '';
      const target = targets.get(id);
      if (target?.type !== 'worksheet') return;
      sheets.push({ name: attributes.name ?? '', isHidden: /hidden/i.test(attributes.state ?? ''), part: target.part });
    },
  });
  const entryOf = (type: string) => {
    const target = [...targets.values()].find((candidate) => candidate.type === type);
    return target && find(target.part);
  };
  return { sheets, from1904, strings: entryOf('sharedStrings'), styles: entryOf('styles') };
}

/** The shared texts, to which cells refer by their place in the list. */
export function readStrings(bytes: Uint8Array, entry: ZipEntry | undefined): readonly string[] {
  const strings: string[] = [];
  if (!entry) return strings;
  let text = '';
  let size = 0;
  let inText = false;
  let phoneticDepth = 0;
  readPart(bytes, entry, {
    open({ name }) {
      if (name === 'si') text = '';
      if (name === 'rPh') phoneticDepth += 1;
      if (name === 't') inText = phoneticDepth === 0;
    },
    text(part) {
      if (!inText) return;
      size += part.length;
      if (size > MOST_TEXT_CHARACTERS) throw new FileFault(workbooksError({ id: 'texts-too-long' }));
      text += part;
    },
    close(name) {
      if (name === 't') inText = false;
      if (name === 'rPh') phoneticDepth -= 1;
      if (name === 'si') strings.push(unescapeText(text));
    },
  });
  return strings;
}

/** How a cell style shows a number. */
type NumberStyle = 'date' | 'percent' | 'plain';

/** How each cell style shows a number, in the workbook's order. */
export function readStyles(bytes: Uint8Array, entry: ZipEntry | undefined): readonly NumberStyle[] {
  const styles: NumberStyle[] = [];
  if (!entry) return styles;
  const codes = new Map<number, string>();
  let inCells = false;
  readPart(bytes, entry, {
    ...IGNORE,
    open({ name, attributes }) {
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      // Other lists of the part have `xf` too, but cells refer to this one.
      if (name === 'cellXfs') inCells = true;
      if (name !== 'xf' || !inCells) return;
      const id = Number(attributes.numFmtId ?? 0);
      styles.push(styleOf(id, codes.get(id)));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return styles;
}

/** Reads one XML part of a workbook as it is unpacked, so that a large sheet is never in memory whole. */
export function readPart(bytes: Uint8Array, entry: ZipEntry, handlers: XmlHandlers): void {
  const reader = xmlReader(inRootNamespace(handlers), entry.name);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new FileFault(workbooksError({ id: 'part-not-utf8', part: entry.name }));
    }
  };
  unpackEntry(bytes, entry, (chunk) => reader.write(decode(chunk)));
  reader.write(decode());
  reader.end();
}

/** Passes over elements of other namespaces: later versions extend a workbook with elements of the same names. */
function inRootNamespace(handlers: XmlHandlers): XmlHandlers {
  let namespace = '';
  const passedOn: boolean[] = [];
  return {
    open(tag, depth) {
      if (depth === 1) namespace = tag.namespace;
      passedOn.push(tag.namespace === namespace);
      if (passedOn.at(-1)) handlers.open(tag, depth);
    },
    text(text) {
      if (passedOn.at(-1)) handlers.text(text);
    },
    close(name, depth) {
      if (passedOn.pop()) handlers.close(name, depth);
    },
  };
}

/** Built-in number formats that are dates or times; the others are in the workbook's list. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
const isEastAsianDate = (id: number) => (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
const PERCENT_FORMATS = new Set([9, 10]);

/**
 * A number format shows a date if a letter of `dmyhs` is outside quotes, escapes, brackets and exponents (`E+00`), and
 * a percentage if a `%` is. A length of time (`[h]:mm`) counts as a date. Only the form of positive numbers, before the
 * first `;`, is looked at.
 */
function styleOf(id: number, code: string | undefined): NumberStyle {
  if (code === undefined) {
    if (PERCENT_FORMATS.has(id)) return 'percent';
    return DATE_FORMATS.has(id) || isEastAsianDate(id) ? 'date' : 'plain';
  }
  const literals = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;
  const [bare = ''] = code.replace(literals, '').split(';');
  if (/^general$/i.test(bare.trim())) return 'plain';
  if (/[dmyhs]/i.test(bare.replace(/e[+-]0+/gi, ''))) return 'date';
  return bare.includes('%') ? 'percent' : 'plain';
}

/** The text of a shared or inline string: `_x000D_` is an escaped character, `_x005F_` an escaped underscore. */
function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}

const MOST_COLUMNS = 1_000;

/** A row of a sheet, with its number in the sheet, counted from 1. */
export interface SheetRow {
  readonly line: number;
  readonly isHidden: boolean;
  readonly cells: FileCell[];
  /** The columns, from 0, whose cells hold formulas. */
  readonly formulas: number[];
}

/** What reading a sheet's cells takes from the workbook. */
export interface SheetContext {
  readonly sharedStrings: () => readonly string[];
  readonly styles: readonly NumberStyle[];
  readonly from1904: boolean;
  /** Numbers stay as the file writes them: a date as a count of days, and however many digits. */
  readonly asWritten: boolean;
}

/** A cell while its elements are read. */
interface OpenCell {
  readonly column: number;
  /** The attribute `t` of the file: `s` for a shared text, `n` for a number. */
  readonly type: string;
  readonly style: number;
  value: string | null;
  inline: string;
  isFormula: boolean;
}

/** Handlers of a sheet's XML that hand out its rows. A row or cell without an address follows the one before. */
export function sheetHandlers(context: SheetContext, onRow: (row: SheetRow) => void): XmlHandlers {
  let row: SheetRow | null = null;
  let line = 0;
  let cell: OpenCell | null = null;
  let target: 'value' | 'inline' | null = null;
  let phoneticDepth = 0;
  return {
    open({ name, attributes }) {
      if (name === 'row') {
        line = lineOf(attributes.r, line);
        row = { line, isHidden: /^(1|true)$/.test(attributes.hidden ?? ''), cells: [], formulas: [] };
      } else if (name === 'c' && row) {
        const column = columnOf(attributes.r, row);
        const { t: type = 'n', s: style = -1 } = attributes;
        cell = { column, type, style: Number(style), value: null, inline: '', isFormula: false };
      } else if (cell) {
        if (name === 'v') {
          target = 'value';
          cell.value = '';
        } else if (name === 't' && phoneticDepth === 0) target = 'inline';
        else if (name === 'f') cell.isFormula = true;
        else if (name === 'rPh') phoneticDepth += 1;
      }
    },
    text(text) {
      if (cell === null || target === null) return;
      if (target === 'value') cell.value += text;
      else cell.inline += text;
    },
    close(name) {
      if (name === 'v' || name === 't') target = null;
      else if (name === 'rPh') phoneticDepth -= 1;
      else if (name === 'c' && cell && row) {
        while (row.cells.length < cell.column) row.cells.push('');
        if (cell.isFormula) row.formulas.push(cell.column);
        row.cells.push(cellValue(cell, context));
        cell = null;
      } else if (name === 'row' && row) {
        onRow(row);
        row = null;
      }
    },
  };
}

/** The line of a row with this address, or without one. @throws FileFault if it is not after the line before it */
function lineOf(address: string | undefined, before: number): number {
  const line = Number(address ?? before + 1);
  if (Number.isInteger(line) && line > before && line <= 1_048_576) return line;
  throw new FileFault(workbooksError({ id: 'row-out-of-order', row: address ?? '' }), { line: before + 1 });
}

/** The column of a row's next cell, which has this address or none. @throws FileFault if it is not after the others */
function columnOf(address: string | undefined, { line, cells }: SheetRow): number {
  const place = address === undefined ? { column: cells.length, row: line } : addressOf(address);
  if (place === null || place.row !== line || place.column < cells.length) {
    throw new FileFault(workbooksError({ id: 'cell-out-of-order', cell: address ?? '' }), { line });
  }
  if (place.column < MOST_COLUMNS) return place.column;
  const why = workbooksError({ id: 'cell-too-far', column: place.column + 1, most: MOST_COLUMNS });
  throw new FileFault(why, { line, column: address });
}

function cellValue(cell: OpenCell, { sharedStrings, styles, from1904, asWritten }: SheetContext): FileCell {
  const value = cell.value ?? '';
  switch (cell.type) {
    case 's': {
      const text = /^\s*\d+\s*$/.test(value) ? sharedStrings()[Number(value)] : undefined;
      return text ?? { kind: 'fault', text: 'refers to a text that the workbook does not hold' };
    }
    case 'inlineStr':
      return unescapeText(cell.inline);
    case 'str':
      return unescapeText(value);
    case 'b':
      return { kind: 'boolean', text: value.trim() === '1' ? 'true' : 'false' };
    case 'e':
      return { kind: 'fault', text: `holds the error ${value.slice(0, 20)}` };
    case 'd':
      return { kind: 'date', text: value.trim().replace('T', ' ') };
    case 'n':
      if (value.trim() === '')
        return cell.isFormula ? { kind: 'fault', text: 'holds a formula without its result' } : '';
      if (asWritten) return { kind: 'number', text: value.trim() };
      if (styles[cell.style] === 'date') return dateCell(value, from1904);
      return styles[cell.style] === 'percent' ? percentCell(numberCell(value)) : numberCell(value);
    default:
      return { kind: 'fault', text: `is of a kind that is not known (${cell.type.slice(0, 20)})` };
  }
}

/** Digits that a spreadsheet's floats keep; what has more has been changed by the spreadsheet already. */
const MOST_DIGITS = 15;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DAY_MS = 86_400_000;

/**
 * A number of a sheet as a plain decimal. A sheet's numbers are floats, and Excel writes 4.1 as `4.0999999999999996`:
 * up to 15 digits are taken as they stand, a longer text as the shortest decimal of that float. One that needs more
 * than 15 digits is a fault: the figure that was meant is no longer in the file.
 */
function numberCell(text: string): FileCell {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed))
    return { kind: 'fault', text: `holds ${JSON.stringify(trimmed.slice(0, 40))} as a number` };
  if (/^-?\d+(?:\.\d+)?$/.test(trimmed) && digitsOf(trimmed) <= MOST_DIGITS) return { kind: 'number', text: trimmed };
  const shortest = plainOf(Number(trimmed));
  if (shortest !== null && digitsOf(shortest) <= MOST_DIGITS) return { kind: 'number', text: shortest };
  return { kind: 'fault', text: `holds ${trimmed.slice(0, 40)}, more digits than a spreadsheet keeps exactly` };
}

/** How many digits a decimal needs: zeros in front do not count, nor those at the end of a whole number. */
function digitsOf(plain: string): number {
  const trailingZeros = plain.includes('.') ? 0 : /0*$/.exec(plain)![0].length;
  return plain.replace(/[-.]/g, '').replace(/^0+/, '').length - trailingZeros;
}

/** The text of 0.015 where a sheet shows a percentage: `1.5%`, with every digit that the cell holds. */
function percentCell(cell: FileCell): FileCell {
  const [, sign, whole, decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(textOf(cell)) ?? [];
  if (whole === undefined) return cell;
  // The first two decimals go before the point: of 0.015 that is `001`, without its zeros `1`, and `5` is left.
  const shifted = `${whole}${decimals.slice(0, 2).padEnd(2, '0')}`.replace(/^0+(?=\d)/, '');
  return `${sign}${shifted}${decimals.length > 2 ? `.${decimals.slice(2)}` : ''}%`;
}

/** A float's shortest decimal (`0.00000015` for 1.5e-7); null for one that is no amount or reference (1e300). */
function plainOf(value: number): string | null {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return null;
  const text = String(value);
  const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (!small) return text;
  const [, sign = '', whole = '', decimals = '', exponent = ''] = small;
  return Number(exponent) > 30 ? null : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${whole}${decimals}`;
}

/** A date of a sheet, which is a count of days, as ISO text; with its time if it has one. */
function dateCell(text: string, from1904: boolean): FileCell {
  const serial = Number(text);
  const fault: FileCell = { kind: 'fault', text: `holds ${JSON.stringify(text.slice(0, 40))} as a date` };
  if (!NUMBER.test(text.trim()) || serial < 0 || serial > 2_958_466) return fault;
  const seconds = Math.round((serial % 1) * 86_400);
  const days = Math.floor(serial) + (seconds === 86_400 ? 1 : 0);
  // Excel's day 1 is 1 January 1900, day 59 is 28 February, day 60 a 29 February that never was, day 61 is 1 March.
  if (!from1904 && (days === 60 || days === 0)) return fault;
  // From 30 December 1899 on, day 61 and all later days come out right, and days before 60 need one more. Counted from
  // 1904, day 0 is 1 January 1904, which is day 1462.
  const since1899 = from1904 ? days + 1462 : days + (days < 60 ? 1 : 0);
  const date = new Date(Date.UTC(1899, 11, 30) + since1899 * DAY_MS);
  const day = isoDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  if (day === null) return fault;
  const time = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19);
  return { kind: 'date', text: time === '00:00:00' ? day : `${day} ${time}` };
}

/** Reads a cell's address: the column counted from 0, the row from 1; null if it is none. */
function addressOf(reference: string): { column: number; row: number } | null {
  const found = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference);
  if (!found) return null;
  const column = [...found[1]!.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  const row = Number(found[2]);
  return column < 16_384 && row >= 1 && row <= 1_048_576 ? { column, row } : null;
}

import { because } from '../../words/errors/workbooks.ts';
import { isoDay } from './date-text.ts';
import { FileFault } from './fault.ts';
import type { Cell } from './table.ts';
import { unescapeText } from './xlsx-book.ts';
import type { XmlHandlers } from './xml.ts';

const MOST_COLUMNS = 1_000;

export interface SheetRow {
  readonly line: number;
  readonly hidden: boolean;
  readonly cells: Cell[];
  /** The columns, from 0, whose cells hold formulas. */
  readonly formulas: number[];
}

/** What a sheet's cells need of the workbook around it. */
export interface SheetContext {
  readonly sharedStrings: () => readonly string[];
  readonly dateStyles: readonly boolean[];
  readonly from1904: boolean;
  /** Numbers as the file writes them: dates as days, and digits uncounted. */
  readonly asWritten?: boolean;
}

/** Follows a sheet's XML and hands out its rows. Where rows or cells have no address, they follow on each other. */
export function sheetHandlers(context: SheetContext, onRow: (row: SheetRow) => void): XmlHandlers {
  let row: SheetRow | null = null;
  let line = 0;
  let cell: {
    column: number;
    type: string;
    style: number;
    value: string | null;
    inline: string;
    formula: boolean;
  } | null = null;
  let target: 'value' | 'inline' | null = null;
  let phonetic = 0;
  return {
    open({ name, attributes }) {
      if (name === 'row') {
        const given = Number(attributes.r ?? line + 1);
        if (!Number.isInteger(given) || given <= line || given > 1_048_576) {
          throw new FileFault(because({ id: 'row-out-of-order', row: attributes.r ?? '' }), {
            line: line + 1,
          });
        }
        line = given;
        row = { line, hidden: /^(1|true)$/.test(attributes.hidden ?? ''), cells: [], formulas: [] };
      } else if (name === 'c' && row) {
        const address = attributes.r === undefined ? { column: row.cells.length, row: line } : addressOf(attributes.r);
        if (address === null || address.row !== line || address.column < row.cells.length) {
          throw new FileFault(because({ id: 'cell-out-of-order', cell: attributes.r ?? '' }), { line });
        }
        if (address.column >= MOST_COLUMNS) {
          throw new FileFault(because({ id: 'cell-too-far', column: address.column + 1, most: MOST_COLUMNS }), {
            line,
            column: attributes.r,
          });
        }
        cell = {
          column: address.column,
          type: attributes.t ?? 'n',
          style: Number(attributes.s ?? -1),
          value: null,
          inline: '',
          formula: false,
        };
      } else if (cell) {
        if (name === 'v') {
          target = 'value';
          cell.value = '';
        } else if (name === 't' && phonetic === 0) target = 'inline';
        else if (name === 'f') cell.formula = true;
        else if (name === 'rPh') phonetic += 1;
      }
    },
    text(text) {
      if (cell === null || target === null) return;
      if (target === 'value') cell.value += text;
      else cell.inline += text;
    },
    close(name) {
      if (name === 'v' || name === 't') target = null;
      else if (name === 'rPh') phonetic -= 1;
      else if (name === 'c' && cell && row) {
        while (row.cells.length < cell.column) row.cells.push('');
        if (cell.formula) row.formulas.push(cell.column);
        row.cells.push(cellValue(cell, context));
        cell = null;
      } else if (name === 'row' && row) {
        onRow(row);
        row = null;
      }
    },
  };
}

function cellValue(
  cell: { type: string; style: number; value: string | null; inline: string; formula: boolean },
  { sharedStrings, dateStyles, from1904, asWritten = false }: SheetContext,
): Cell {
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
      if (value.trim() === '') return cell.formula ? { kind: 'fault', text: 'holds a formula without its result' } : '';
      if (asWritten) return { kind: 'number', text: value.trim() };
      return dateStyles[cell.style] === true ? dateCell(value, from1904) : numberCell(value);
    default:
      return { kind: 'fault', text: `is of a kind that is not known (${cell.type.slice(0, 20)})` };
  }
}

/** Digits that a spreadsheet's floats keep; what has more has been changed by the spreadsheet already. */
const MOST_DIGITS = 15;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DAY_MS = 86_400_000;

/**
 * A number of a sheet as a plain decimal. A sheet's numbers are floats, and Excel writes 4.1 as `4.0999999999999996`: up to 15
 * digits are taken as they stand, a longer text as the shortest decimal of that float. One that needs more than 15 digits is a
 * fault: the figure that was meant is no longer in the file.
 */
function numberCell(text: string): Cell {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed))
    return { kind: 'fault', text: `holds ${JSON.stringify(trimmed.slice(0, 40))} as a number` };
  if (/^-?\d+(?:\.\d+)?$/.test(trimmed) && digitsOf(trimmed) <= MOST_DIGITS) return { kind: 'number', text: trimmed };
  const shortest = plainOf(Number(trimmed));
  if (shortest === null || digitsOf(shortest) > MOST_DIGITS) {
    return {
      kind: 'fault',
      text: `holds ${trimmed.slice(0, 40)}, more digits than a spreadsheet keeps exactly`,
    };
  }
  return { kind: 'number', text: shortest };
}

function digitsOf(plain: string): number {
  return plain.replace(/[-.]/g, '').replace(/^0+/, '').length - (plain.includes('.') ? 0 : trailingZeros(plain));
}

function trailingZeros(plain: string): number {
  return /0*$/.exec(plain)![0].length;
}

/** A float's shortest decimal, without an exponent; null for what is no amount or reference (1e300, infinity). */
function plainOf(value: number): string | null {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return null;
  const text = String(value);
  const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (!small) return text;
  const [, sign = '', first = '', rest = '', exponent = ''] = small;
  return Number(exponent) > 30 ? null : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}

/**
 * A date of a sheet, which is a count of days, as ISO text; with its time where it has one.
 *
 * @param from1904 whether the workbook counts from 1904, as those of old Macs do
 */
function dateCell(text: string, from1904: boolean): Cell {
  const serial = Number(text);
  const fault: Cell = { kind: 'fault', text: `holds ${JSON.stringify(text.slice(0, 40))} as a date` };
  if (!NUMBER.test(text.trim()) || serial < 0 || serial > 2_958_466) return fault;
  const seconds = Math.round((serial % 1) * 86_400);
  const days = Math.floor(serial) + (seconds === 86_400 ? 1 : 0);
  // Excel has a 29 February 1900 that never was: day 60. Days before it are one later than the count says.
  if (!from1904 && (days === 60 || days === 0)) return fault;
  const since1900 = from1904 ? days + 1462 : days < 60 ? days + 1 : days;
  const date = new Date(Date.UTC(1899, 11, 30) + since1900 * DAY_MS);
  const day = isoDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  if (day === null) return fault;
  const time = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19);
  return { kind: 'date', text: time === '00:00:00' ? day : `${day} ${time}` };
}

/** A cell's address as zero-based column and row counted from 1; null where it is none. */
function addressOf(reference: string): { column: number; row: number } | null {
  const found = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference);
  if (!found) return null;
  const column = [...found[1]!.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  const row = Number(found[2]);
  return column < 16_384 && row >= 1 && row <= 1_048_576 ? { column, row } : null;
}

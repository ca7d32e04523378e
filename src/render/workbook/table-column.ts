import type { Cell, Column, ColumnType, Row } from '../../../reports/model.ts';
import { columnLetters } from './names.ts';

/** The height of a line of text. */
export const POINTS_A_LINE = 13.5;
/** How many rows a column is fitted to. */
export const ROWS_TO_FIT = 500;
const NARROWEST = 8;
const WIDEST = 32;
/** A SHA-256 in hexadecimal. */
const WIDEST_HASH = 64;
/** The room that a filter's button takes of a heading. */
const BUTTON = 4;
/** Sentences are shown on several lines, of at least and at most so many characters. */
const WIDE = { least: 28, most: 60 };

/** The letters of a column by its name. */
export function lettersOf(columns: readonly Column[], name: string): string {
  return columnLetters(columns.findIndex((column) => column.name === name));
}

/** Whether a column's texts are broken into lines. */
export function isWrapped({ type }: Column): boolean {
  return type === 'wide';
}

/**
 * How many lines the longest of a row's wrapped texts takes; not every program fits the height of a row by itself.
 *
 * @param widths of the columns, in characters
 */
export function linesOf(columns: readonly Column[], widths: readonly number[], row: Row): number {
  let most = 1;
  columns.forEach((column, i) => {
    if (!isWrapped(column)) return;
    const lines = String(row[column.name] ?? '').split('\n');
    const taken = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / widths[i]!)), 0);
    most = Math.max(most, taken);
  });
  return most;
}

/** How many lines the highest heading takes, broken at its spaces beside the filter's button. */
export function headingLines(columns: readonly Column[], widths: readonly number[]): number {
  const linesOfOne = ({ title }: Column, width: number) => {
    let [lines, taken] = [1, 0];
    for (const { length } of title.split(' ')) {
      const isFull = taken > 0 && taken + 1 + length > width - BUTTON;
      lines += isFull ? 1 : 0;
      taken = isFull || taken === 0 ? length : taken + 1 + length;
    }
    return lines;
  };
  return Math.max(1, ...columns.map((column, i) => linesOfOne(column, widths[i]!)));
}

/** A column's width in characters: as wide as what the first rows and the heading need. */
export function fittedWidth(column: Column, rows: readonly Row[]): number {
  const { type, name, title } = column;
  if (type === 'date') return 12;
  if (type === 'datetime') return 25;
  const longest = rows.reduce((most, row) => Math.max(most, shownLength(type, row[name] ?? null)), 0);
  if (isWrapped(column)) return Math.min(WIDE.most, Math.max(WIDE.least, longest));
  // A total has more digits than its rows: one more for ten of them, and each third with a comma.
  const growth =
    type === 'money' ? Math.ceil(1.4 * Math.log10(rows.length < ROWS_TO_FIT ? rows.length + 1 : 100_000)) : 0;
  // A heading may break at its spaces, and needs room for the filter's button.
  const heading = Math.max(...title.split(' ').map((word) => word.length)) + BUTTON;
  const isHash = type === 'id' && longest === WIDEST_HASH && rows.every((row) => isHashOrNone(row[name]));
  return Math.round(Math.min(isHash ? WIDEST_HASH + 3 : WIDEST, Math.max(NARROWEST, longest + growth + 3, heading)));
}

/** Of a hash, all digits are shown: part of one names nothing. */
function isHashOrNone(cell: Cell | undefined): boolean {
  return cell === null || cell === undefined || String(cell).length === WIDEST_HASH;
}

function shownLength(type: ColumnType, cell: Cell): number {
  if (cell === null) return 0;
  const isAmount = type === 'money' || type === 'measure';
  return isAmount ? groupedLength(String(cell)) : String(cell).length;
}

/** The length of a plain decimal with its thousands grouped and two decimals at least: found without making an amount of it. */
function groupedLength(decimal: string): number {
  const sign = decimal.startsWith('-') ? 1 : 0;
  const point = decimal.indexOf('.');
  const whole = (point === -1 ? decimal.length : point) - sign;
  const decimals = point === -1 ? 0 : decimal.length - point - 1;
  return sign + whole + Math.floor((whole - 1) / 3) + 1 + Math.max(2, decimals);
}

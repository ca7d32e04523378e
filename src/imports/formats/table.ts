import { quoted } from '../../base/text.ts';
import type { Skipped } from './receipts-file.ts';

/**
 * A cell: the text of a CSV field, or a sheet's cell with its kind. A `number` is a plain decimal, a `date` is ISO; a `fault` is a
 * cell whose value cannot be taken (an error, a formula without a result, more digits than a float keeps), and its text says why.
 */
export type Cell = string | { readonly kind: 'text' | 'number' | 'date' | 'boolean' | 'fault'; readonly text: string };

/** A row, with its line in the file (or its row in the sheet), counted from 1. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** A sheet or a CSV file: one row of headers, and the rows below it. */
export interface Table {
  readonly headers: readonly string[];
  readonly rows: readonly TableRow[];
  /** The sheet's name; null for CSV. */
  readonly sheet: string | null;
  /** Rows that the sheet hides; they are read all the same. */
  readonly hiddenRows: number;
  /** The file's last cell, where the file ends in it and nothing shows that it is whole; null for sheets, which say where they end. */
  readonly lastCell: string | null;
  /** Rows that are passed over: totals and remarks that are shorter or longer than the header. */
  readonly skipped: readonly Skipped[];
}

/** The header of a table is searched among so many of its first rows. */
export const HEAD_ROWS = 50;

/** How the header is found among the first rows, and which columns are kept. */
export interface HeaderSearch {
  isHeader(cells: readonly string[]): boolean;
  /** The place of the row that is most likely the header, where none surely is. */
  likely(rows: readonly (readonly string[])[]): number;
  /** The file may close with remarks in words of its own; see {@link closingRemark}. */
  readonly closes: boolean;
  /** A row counts though it is shorter than the header: the totals that a map names. */
  keeps?(cells: readonly string[]): boolean;
  /** The columns to keep; the others' cells are left empty, so that a wide file takes little room. @throws FileFault where the header is not known */
  choose(headers: readonly string[]): ReadonlySet<number>;
}

/** `Total debits: 120.00`, `Opening balance`, `Carried forward`, `End of statement`, `Page 1 of 3`. */
const NOT_MOVEMENTS = [
  /^(sub-?|grand )?totals?( (of )?(debits?|credits?|amounts?|in|out|paid in|paid out|withdrawals?|deposits?|movements?))?( ?:)?( ?[-+\d.,' ]+)?$/i,
  /^((opening|closing|final|ending|beginning|starting|previous|new) )?balance(( (carried|brought))? forward)?( ?:)?( ?[-+\d.,' ]+)?$/i,
  /^(balance )?(carried|brought) forward$/i,
  /^\W*end of (the )?(statement|report|file|list)\b/i,
  /^page \d+( (of|\/) \d+)?\W*$/i,
  /^(المجموع|ال[إا]جمالي|(ال)?رصيد)( [^\d]*)?:?$/,
];

/** The cell that says that a row is a total, a balance or a closing remark, and no movement; null where none does. */
export function totalOrRemark(cells: readonly string[]): string | null {
  const texts = cells.map((cell) => cell.replace(/\s+/g, ' ').trim());
  return texts.find((text) => NOT_MOVEMENTS.some((pattern) => pattern.test(text))) ?? null;
}

export function notAMovement(line: number, text: string): Skipped {
  return { line, why: `not a movement: ${quoted(text)}` };
}

/** A row whose one filled cell holds two words or more, as a bank may print below its lines; null for any other row. */
export function closingRemark(cells: readonly string[]): string | null {
  const [only = '', ...others] = cells.map((cell) => cell.replace(/\s+/g, ' ').trim()).filter((text) => text !== '');
  return others.length === 0 && (only.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2 ? only : null;
}

/** The words of a row that holds no figure, such as a line to sign on; null for any other row. */
export function wordsOf(cells: readonly string[]): string | null {
  const text = cells
    .map((cell) => cell.replace(/\s+/g, ' ').trim())
    .filter((cell) => cell !== '')
    .join(' ');
  const hasFigure = /\p{Nd}/u.test(text);
  return /\p{L}/u.test(text) && !hasFigure ? text : null;
}

/** A cell's text, whatever its kind. */
export function textOf(cell: Cell | undefined): string {
  return typeof cell === 'string' ? cell : (cell?.text ?? '');
}

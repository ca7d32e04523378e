import { quoted } from '../../base/text.ts';
import type { SkippedLine } from './receipts-file.ts';
import { oneLine } from './text-forms.ts';

/**
 * The text of a CSV field, or a sheet's cell with its kind. A `number` is a plain decimal, a `date` is ISO. A `fault`
 * is a cell whose value cannot be taken (an error, a formula without a result, more digits than a float keeps), and its
 * text says why.
 */
export type FileCell =
  | string
  | { readonly kind: 'text' | 'number' | 'date' | 'boolean' | 'fault'; readonly text: string };

/** A row, with its line in the file (or its row in the sheet), counted from 1. */
export interface TableRow {
  readonly line: number;
  readonly cells: readonly FileCell[];
}

/** A sheet or a CSV file: one row of headers, and the rows below it. */
export interface Table {
  readonly headers: readonly string[];
  readonly rows: readonly TableRow[];
  /** The sheet's name; null for CSV. */
  readonly sheet: string | null;
  /** Rows that the sheet hides; they are read all the same. */
  readonly hiddenRows: number;
  /** The last cell of a file that may be cut off there; null if the file ends with a line end, or is a sheet. */
  readonly lastCell: string | null;
  /** Totals and remarks with fewer or more cells than the header. */
  readonly skipped: readonly SkippedLine[];
}

/** The number of first rows among which the header is searched. */
export const HEAD_ROWS = 50;

/** Rules for one kind of file: which of the first rows is the header, and which columns and rows to keep. */
export interface HeaderSearch {
  isHeader(cells: readonly string[]): boolean;
  /** The index of the row that is most likely the header, if no row is one for certain. */
  likelyRow(rows: readonly (readonly string[])[]): number;
  /** The file may end with remarks in the bank's words; see {@link closingRemark}. */
  readonly hasClosingRemarks: boolean;
  /** It is the row of totals that a map names: it is kept though it may be shorter than the header. */
  isTotalsRow(cells: readonly string[]): boolean;
  /** The columns to keep; other cells become empty, to save memory. @throws FileFault for an unknown header */
  columnsToKeep(headers: readonly string[]): ReadonlySet<number>;
}

/**
 * `Total debits: 120.00`, `Opening balance`, `Carried forward`, `End of statement`, `Page 1 of 3`. In Arabic a word for
 * total or balance, and after it anything without the digits 0 to 9: `رصيد سابق`.
 */
const NOT_MOVEMENTS = [
  /^(sub-?|grand )?totals?( (of )?(debits?|credits?|amounts?|in|out|paid in|paid out|withdrawals?|deposits?|movements?))?( ?:)?( ?[-+\d.,' ]+)?$/i,
  /^((opening|closing|final|ending|beginning|starting|previous|new) )?balance(( (carried|brought))? forward)?( ?:)?( ?[-+\d.,' ]+)?$/i,
  /^(balance )?(carried|brought) forward$/i,
  /^\W*end of (the )?(statement|report|file|list)\b/i,
  /^page \d+( (of|\/) \d+)?\W*$/i,
  /^(المجموع|ال[إا]جمالي|(ال)?رصيد)( [^\d]*)?:?$/,
];

/** The cell that shows that a row is a total, a balance or a remark, and no movement; null if none does. */
export function totalOrRemark(cells: readonly string[]): string | null {
  const texts = cells.map(oneLine);
  return texts.find((text) => NOT_MOVEMENTS.some((pattern) => pattern.test(text))) ?? null;
}

export function notAMovement(line: number, text: string): SkippedLine {
  return { line, why: `not a movement: ${quoted(text)}` };
}

/** The text of a row whose one filled cell has two words or more, as below a bank's lines; null for any other row. */
export function closingRemark(cells: readonly string[]): string | null {
  const [only = '', ...others] = cells.map(oneLine).filter((text) => text !== '');
  return others.length === 0 && (only.match(/\p{L}{2,}/gu)?.length ?? 0) >= 2 ? only : null;
}

/** The words of a row without digits, such as a line to sign on; null for any other row. */
export function wordsOnly(cells: readonly string[]): string | null {
  const text = oneLine(cells.join(' '));
  return /\p{L}/u.test(text) && !/\p{Nd}/u.test(text) ? text : null;
}

/** A cell's text, whatever its kind. */
export function textOf(cell: FileCell | undefined): string {
  return typeof cell === 'string' ? cell : (cell?.text ?? '');
}

/** Notes for a person: the sheet hides rows, or the file may be cut off. */
export function tableNotes({ hiddenRows, lastCell }: Table): string[] {
  const rowsWere = hiddenRows === 1 ? 'row was' : 'rows were';
  const toSee = 'see that it is whole, and not the beginning of a longer figure';
  return [
    ...(hiddenRows > 0 ? [`${hiddenRows} hidden ${rowsWere} read with the others`] : []),
    ...(lastCell === null ? [] : [`the file ends with ${quoted(lastCell)} and no line end: ${toSee}`]),
  ];
}

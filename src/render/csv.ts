import { stringify } from 'csv-stringify/sync';
import type { Column } from '../../reports/model.ts';
import { fileText } from '../base/text.ts';
import { isFigure } from './figures.ts';
import type { SaidCell, SaidReport, SaidRow } from './in-words.ts';
import { inBatches } from './output.ts';

const ROWS_A_BATCH = 500;

/** The beginning of a cell that Excel or LibreOffice read as a formula; some locales take the full-width forms too. */
const FORMULA_START = /^[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Text from outside, made harmless for a spreadsheet: an apostrophe before what looks like a formula makes it text. */
export function safeText(text: string): string {
  const clean = fileText(text);
  return FORMULA_START.test(text) || FORMULA_START.test(clean) ? `'${clean}` : clean;
}

function csvCell(column: Column, cell: SaidCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (isFigure(column.type) || typeof cell === 'number') return String(cell);
  return safeText(String(cell));
}

/**
 * A report's rows as CSV after RFC 4180: a header of field names, CRLF, fields quoted where they must be. Totals and
 * notes are left out, because a program that sums the column would count them twice.
 *
 * @param bom start with a byte order mark, without which Excel reads UTF-8 as the machine's own code page
 */
export async function* csvText(report: SaidReport, bom: boolean): AsyncGenerator<string> {
  yield (bom ? '\uFEFF' : '') + csvLines([report.columns.map(({ name }) => name)]);
  const cells = (row: SaidRow) => report.columns.map((column) => csvCell(column, row[column.name]));
  for await (const rows of inBatches(report.rows, ROWS_A_BATCH)) yield csvLines(rows.map(cells));
}

/** Records as CSV. A text with a lone CR or LF is quoted: readers would begin a row there, perhaps with a formula. */
export function csvLines(records: readonly (readonly string[])[]): string {
  return stringify(records as string[][], { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

/** Objects as CSV: a column for each field of the first one, with arrays and objects in them as JSON. */
export function recordsCsv(records: readonly object[]): string {
  const names = Object.keys(records[0] ?? {});
  const cells = (record: object) => names.map((name) => recordCell((record as Record<string, unknown>)[name]));
  return csvLines([names, ...records.map(cells)]);
}

function recordCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  // A negative amount begins like a formula but is none.
  return /^-?\d+(\.\d+)?$/.test(text) ? text : safeText(text);
}

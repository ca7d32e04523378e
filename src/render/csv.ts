import { stringify } from 'csv-stringify/sync';
import type { Column } from '../../reports/model.ts';
import { fileText } from '../base/text.ts';
import { isFigure } from './figures.ts';
import type { SaidCell, SaidReport } from './in-words.ts';

const ROWS_A_BATCH = 500;

/** What makes Excel or LibreOffice read a cell as a formula; some locales take the full-width forms too. */
const FORMULA_START = /^[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Text from outside, made harmless for a spreadsheet: a leading apostrophe turns what looks like a formula into text. */
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
  yield (bom ? '\uFEFF' : '') + lines([report.columns.map(({ name }) => name)]);
  let batch: string[][] = [];
  for await (const row of report.rows) {
    batch.push(report.columns.map((column) => csvCell(column, row[column.name])));
    if (batch.length < ROWS_A_BATCH) continue;
    yield lines(batch);
    batch = [];
  }
  if (batch.length > 0) yield lines(batch);
}

/** A lone CR or LF ends a row for most readers: unquoted, the rest of a text would begin a row, and could be a formula there. */
function lines(records: string[][]): string {
  return stringify(records, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

/** Records as CSV: a column a field of the first, and what is no text or number as JSON. */
export function recordsCsv(records: readonly object[]): string {
  const names = Object.keys(records[0] ?? {});
  const cells = (record: object) => names.map((name) => recordCell((record as Record<string, unknown>)[name]));
  return lines([names, ...records.map(cells)]);
}

function recordCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return /^-?\d+(\.\d+)?$/.test(text) ? text : safeText(text);
}

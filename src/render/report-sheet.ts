import type { Column, PlainRow, Report } from '../../reports/model.ts';
import { type Language, type LanguageCode, languageOf } from '../words/index.ts';
import { type Accent, accentOf } from './colour.ts';
import { inWords, type SaidReport } from './in-words.ts';
import { inBatches } from './output.ts';
import type { Sheet, SheetTail } from './workbook/model.ts';
import { fittedWidth, lettersOf, ROWS_TO_FIT, STREAMED_ROWS_TO_FIT, type TableSheet } from './workbook/table-model.ts';
import { TableRows } from './workbook/table-rows.ts';
import { columnLetters } from './workbook/values.ts';
import { writeWorkbook } from './workbook/write.ts';

/** A report as a workbook of one sheet, in remit's colours: without a brand, `accentOf` gives these. */
export async function reportWorkbook(
  report: Report,
  generatedAt: Date,
  code: LanguageCode = 'en',
): Promise<AsyncIterable<Uint8Array>> {
  const language = await languageOf(code);
  const worded = inWords(report, language);
  return writeWorkbook({
    language,
    title: worded.title,
    subject: worded.period,
    date: generatedAt,
    sheets: [await reportSheet(worded, accentOf(null), language, { frozenColumns: keyColumns(worded.columns) })],
  });
}

/** The most columns that stay in view and are repeated on every printed page. */
const MOST_KEYS = 4;

/** How many leading columns identify a row: those up to the last key column. */
function keyColumns(columns: readonly Column[]): number {
  const last = columns.slice(0, MOST_KEYS).findLastIndex(({ key }) => key === true);
  // Never all columns: one at least is left to scroll.
  return Math.min(Math.max(0, last) + 1, columns.length - 1);
}

const NOT_IN_SHEET_NAMES = /[[\]:*?/\\']/g;
const LONGEST_SHEET_NAME = 31;

/** A report's rows are handed on in pages of this many. */
const ROWS_A_PAGE = 500;

export type SheetExtras = Pick<TableSheet, 'frozenColumns' | 'conditions' | 'lists' | 'typed' | 'below'> &
  Partial<Pick<TableSheet, 'pages' | 'wordsOf'>>;

/**
 * A report as one sheet of a workbook, named after its title: the columns' titles in the first row, its rows, and after
 * a blank row the totals as live formulas, so that people can sort, filter and pivot it. Rows are streamed.
 *
 * @returns the sheet; `sums` has the sums of its columns, once its rows are written
 */
export async function reportSheet(
  { title, columns, rows, totals, notes }: SaidReport,
  accent: Accent,
  language: Language,
  extras: SheetExtras,
): Promise<Sheet & { readonly sums: TableRows }> {
  const pages = Symbol.asyncIterator in rows ? inBatches(rows, ROWS_A_PAGE) : [[...rows]];
  const table: TableSheet = { accent, language, columns, pages, totals, notes, ...extras };
  const { firstRows, isAll, laterPages } = await readFirstRows(table);
  const widths = columns.map((column) =>
    fittedWidth(column, cellsInWords(table, column, firstRows.slice(0, ROWS_TO_FIT)), isAll),
  );
  const body = new TableRows(table, widths);
  return {
    name: title.replace(NOT_IN_SHEET_NAMES, ' ').slice(0, LONGEST_SHEET_NAME),
    tabColour: accent.fill,
    widths,
    frozenRows: 1,
    frozenColumns: table.frozenColumns ?? 0,
    repeatedRows: 1,
    printedColumns: columns.filter(({ isOffPaper }) => !isOffPaper).length,
    lines: body.lines(firstRows, laterPages),
    tail: () => tailOf(table, body),
    sums: body,
  };
}

/** A column's cells in some rows, in the reader's language. */
function cellsInWords({ wordsOf }: TableSheet, { name }: Column, rows: readonly PlainRow[]): PlainRow[string][] {
  const say = wordsOf?.(name) ?? null;
  return rows.map((row) => {
    const cell = row[name] ?? null;
    return say && typeof cell === 'string' ? say(cell) : cell;
  });
}

/**
 * Reads the rows that set the widths of columns: all rows if the table is in memory, as few as possible if it is
 * streamed.
 *
 * @returns those rows, and the pages after them; `isAll` if there are no more pages
 */
async function readFirstRows({ pages }: TableSheet) {
  if (!(Symbol.asyncIterator in pages)) return { firstRows: [...pages].flat(), isAll: true, laterPages: noPages() };
  const reader = pages[Symbol.asyncIterator]();
  const firstRows: PlainRow[] = [];
  while (firstRows.length < STREAMED_ROWS_TO_FIT) {
    const { value, done } = await reader.next();
    if (done) return { firstRows, isAll: true, laterPages: noPages() };
    for (const row of value) firstRows.push(row);
  }
  // The same reader goes on: a second one would begin with the first page again.
  return { firstRows, isAll: false, laterPages: { [Symbol.asyncIterator]: () => reader } };
}

async function* noPages(): AsyncGenerator<readonly PlainRow[]> {}

/** A sheet's filter, and the drop-down lists and conditional formats of its rows, if it has rows. */
function tailOf({ columns, conditions = [], lists = {} }: TableSheet, { rows, stretches }: TableRows): SheetTail {
  const lastColumn = columnLetters(columns.length - 1);
  const autoFilter = `A1:${lastColumn}${rows + 1}`;
  if (stretches.length === 0) return { autoFilter };
  // A range for each stretch of rows: the table's own, and those below its totals.
  const ranges = (from: string, to = from) => stretches.map(({ first, last }) => `${from}${first}:${to}${last}`);
  const firstRow = stretches[0]!.first;
  return {
    autoFilter,
    lists: Object.entries(lists).flatMap(([name, words]) =>
      ranges(lettersOf(columns, name)).map((range) => ({ range, words })),
    ),
    conditions: conditions.map(({ column, formula, style }) => ({
      range: (column === undefined ? ranges('A', lastColumn) : ranges(lettersOf(columns, column))).join(' '),
      // `{difference}<>0` → `$H2<>0`
      formula: formula.replace(/\{(\w+)\}/g, (_, name: string) => `$${lettersOf(columns, name)}${firstRow}`),
      style,
    })),
  };
}

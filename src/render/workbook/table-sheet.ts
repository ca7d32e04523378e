import type { Column, PlainRow } from '../../../reports/model.ts';
import type { Sheet, SheetTail } from './model.ts';
import {
  fittedWidth,
  lettersOf,
  ROWS_TO_FIT,
  STREAMED_ROWS_TO_FIT,
  type TableSheet,
  type TableSums,
} from './table-model.ts';
import { TableRows } from './table-rows.ts';
import { columnLetters } from './values.ts';

/**
 * A sheet of one table: header in the first row, a row a record, and after a blank row the totals as live formulas, so that
 * the table can be sorted, filtered and pivoted as it is. Rows are streamed.
 */
export async function tableSheet(table: TableSheet): Promise<Sheet & { readonly sums: TableSums }> {
  const { columns, frozenColumns = 0 } = table;
  const { first, isAll, rest } = await readFirstRows(table);
  const widths = columns.map((column) =>
    fittedWidth(column, cellsOf(table, column, first.slice(0, ROWS_TO_FIT)), isAll),
  );
  const body = new TableRows(table, widths);
  return {
    name: table.name,
    tabColour: table.accent.fill,
    widths,
    frozenRows: 1,
    frozenColumns,
    repeatedRows: 1,
    printedColumns: columns.filter(({ isOffPaper }) => !isOffPaper).length,
    lines: body.lines(first, rest),
    tail: () => tailOf(table, body),
    sums: body,
  };
}

/** A column's cells in some rows, in the reader's language. */
function cellsOf({ wordsOf }: TableSheet, { name }: Column, rows: readonly PlainRow[]): PlainRow[string][] {
  const say = wordsOf?.(name) ?? null;
  return rows.map((row) => {
    const cell = row[name] ?? null;
    return say && typeof cell === 'string' ? say(cell) : cell;
  });
}

/** What sets the widths of a table's columns: its first rows, and whether they are all. */
interface FirstRows {
  readonly first: readonly PlainRow[];
  readonly isAll: boolean;
  /** The pages after them. */
  readonly rest: AsyncIterable<readonly PlainRow[]>;
}

/** Reads all rows of a table that is held, and of one that is streamed no more than its widths need: what is kept for long fills the memory. */
async function readFirstRows({ pages }: TableSheet): Promise<FirstRows> {
  if (!(Symbol.asyncIterator in pages)) return { first: [...pages].flat(), isAll: true, rest: nothing() };
  const reader = pages[Symbol.asyncIterator]();
  const first: PlainRow[] = [];
  while (first.length < STREAMED_ROWS_TO_FIT) {
    const { value, done } = await reader.next();
    if (done) return { first, isAll: true, rest: nothing() };
    for (const row of value) first.push(row);
  }
  return { first, isAll: false, rest: { [Symbol.asyncIterator]: () => reader } };
}

async function* nothing(): AsyncGenerator<readonly PlainRow[]> {}

/** What a table's sheet has besides its rows: its filter, drop-down lists and conditional formats. */
function tailOf({ columns, conditions = [], lists = {} }: TableSheet, { rows, stretches }: TableRows): SheetTail {
  const last = columnLetters(columns.length - 1);
  const autoFilter = `A1:${last}${rows + 1}`;
  if (stretches.length === 0) return { autoFilter };
  const ranges = (from: string, to = from) => stretches.map((each) => `${from}${each.first}:${to}${each.last}`);
  const firstRow = stretches[0]!.first;
  return {
    autoFilter,
    lists: Object.entries(lists).flatMap(([name, words]) =>
      ranges(lettersOf(columns, name)).map((range) => ({ range, words })),
    ),
    conditions: conditions.map(({ column, formula, style }) => ({
      range: (column === undefined ? ranges('A', last) : ranges(lettersOf(columns, column))).join(' '),
      formula: formula.replace(/\{(\w+)\}/g, (_, name: string) => `$${lettersOf(columns, name)}${firstRow}`),
      style,
    })),
  };
}

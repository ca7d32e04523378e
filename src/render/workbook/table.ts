import type { Column, PlainRow } from '../../../reports/model.ts';
import { columnLetters } from './formulas.ts';
import type { Sheet, SheetTail } from './model.ts';
import { fittedWidth, lettersOf, ROWS_TO_FIT } from './table-columns.ts';
import type { TableSheet, TableSums } from './table-model.ts';
import { TableRows } from './table-rows.ts';

/**
 * A sheet of one table: header in the first row, a row a record, and after a blank row the totals as live formulas, so that
 * the table can be sorted, filtered and pivoted as it is. Rows are streamed.
 */
export async function tableSheet(table: TableSheet): Promise<Sheet & { readonly sums: TableSums }> {
  const { columns, frozenColumns = 0 } = table;
  const { first, rest } = await readFirstRows(table);
  const widths = columns.map((column) => fittedWidth(column, cellsOf(table, column, first.slice(0, ROWS_TO_FIT))));
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

/** Reads a table's first pages, which set the widths of its columns. @returns their rows, and the pages after them */
async function readFirstRows({
  pages,
}: TableSheet): Promise<{ first: readonly PlainRow[]; rest: AsyncIterable<readonly PlainRow[]> }> {
  const reader = Symbol.asyncIterator in pages ? pages[Symbol.asyncIterator]() : asyncOf(pages);
  const first: PlainRow[] = [];
  while (first.length < ROWS_TO_FIT) {
    const { value, done } = await reader.next();
    if (done) break;
    for (const row of value) first.push(row);
  }
  return { first, rest: { [Symbol.asyncIterator]: () => reader } };
}

async function* asyncOf<T>(pages: Iterable<T>): AsyncGenerator<T> {
  yield* pages;
}

/** What a table's sheet has besides its rows: its filter, drop-down lists and conditional formats. */
function tailOf({ columns, conditions = [], lists = {} }: TableSheet, { rows, stretches }: TableRows): SheetTail {
  const last = columnLetters(columns.length - 1);
  const autoFilter = `A1:${last}${rows + 1}`;
  if (stretches.length === 0) return { autoFilter };
  const ranges = (from: string, to = from) => stretches.map((each) => `${from}${each.first}:${to}${each.last}`);
  const firstRow = stretches[0]!.first;
  return {
    autoFilter,
    textNumbers: columns.flatMap(({ type }, i) =>
      type === 'id' || type === 'number' || type === 'text' ? ranges(columnLetters(i)) : [],
    ),
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

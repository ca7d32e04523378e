import type { Row } from '../../../reports/model.ts';
import { PackedRows, unpacked } from '../../../reports/packed.ts';
import { mapped, pagesOf } from '../../../reports/pages.ts';
import type { Sheet } from './model.ts';
import { TableBody, type Written } from './table-body.ts';
import { fittedWidth, isWrapped, ROWS_TO_FIT } from './table-column.ts';
import type { TableSheet, TableSums } from './table-model.ts';

/** At this width a page of A4 prints at about 7 points. */
const MOST_CHARACTERS_A_PAGE = 220;

/**
 * A sheet of one table: header in the first row, a row a record, and after a blank row the totals as live formulas, so that
 * the table can be sorted, filtered and pivoted as it stands. Rows are streamed.
 */
export async function tableSheet(table: TableSheet): Promise<Sheet & { readonly sums: TableSums }> {
  const { columns, rows } = table;
  const { sample, pagesIn } =
    rows instanceof PackedRows && isOfPlainCells(table)
      ? await source(
          rows.pages,
          (row) => unpacked(columns, row),
          (body, page) => body.longPage(page),
        )
      : await source(
          pagesOf(rows),
          (row) => row,
          (body, page) => mapped(page, (row) => body.line(row)),
        );
  const widths = columns.map((column) => fittedWidth(column, sample));
  const { frozenColumns = 0 } = table;
  const paged = pagesFor(widths, frozenColumns);
  const body = new TableBody(table, widths, paged.repeatedColumns ?? 0);
  return {
    name: table.name,
    tabColour: table.accent.fill,
    widths,
    frozenRows: 1,
    frozenColumns,
    repeatedRows: 1,
    ...paged,
    lines: body.pages(pagesIn(body)),
    tail: () => body.tail(),
    sums: body,
  };
}

/** What is wider than a page can show at a size that people read goes over two, which both begin with the columns that stay in view. */
function pagesFor(widths: readonly number[], frozenColumns: number): Pick<Sheet, 'pagesWide' | 'repeatedColumns'> {
  const wide = widths.reduce((sum, width) => sum + width, 0) > MOST_CHARACTERS_A_PAGE;
  return wide ? { pagesWide: 2, repeatedColumns: frozenColumns } : {};
}

/**
 * A table's rows to be written. The first of them are read at once, so that columns can be fitted to them.
 *
 * @param rowOf a row by its columns' names
 * @param write a page as a body writes it
 */
async function source<R>(
  pages: AsyncIterable<Iterable<R>>,
  rowOf: (row: R) => Row,
  write: (body: TableBody, page: Iterable<R>) => Written,
) {
  const reader = pages[Symbol.asyncIterator]();
  const first: R[] = [];
  while (first.length < ROWS_TO_FIT) {
    const { value, done } = await reader.next();
    if (done) break;
    for (const row of value) first.push(row);
  }
  return {
    sample: first.slice(0, ROWS_TO_FIT).map(rowOf),
    async *pagesIn(body: TableBody): AsyncGenerator<Written> {
      yield write(body, first);
      for await (const page of { [Symbol.asyncIterator]: () => reader }) yield write(body, page);
    },
  };
}

/** Whether no cell is typed in, of several lines or of a unit of its row's own: those are written as objects. */
function isOfPlainCells({ columns, typed = [], below }: TableSheet): boolean {
  return typed.length === 0 && !below && !columns.some((column) => isWrapped(column) || column.type === 'measure');
}

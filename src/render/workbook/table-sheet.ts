import type { Cell, Row } from '../../../reports/model.ts';
import type { Accent } from '../colour.ts';
import { type AmountLook, amountCell, ColumnSum, cellOf, rounded } from './amounts.ts';
import type { Line, Sheet, SheetCell, SheetTail, Style } from './model.ts';
import { columnLetters, quoted } from './names.ts';
import { fittedWidth, linesOf, ROWS_TO_FIT, type TableColumn, type TableColumnKind } from './table-column.ts';
import { exactNumber, wallTime } from './values.ts';

/** A condition on a row, with the row's cells named by column: `{difference}<>0`. */
interface RowCondition {
  /** The column that changes its look; the whole row where absent. */
  readonly column?: string;
  readonly formula: string;
  readonly style: Style;
}

export interface TableSheet {
  readonly name: string;
  readonly accent: Accent;
  readonly columns: readonly TableColumn[];
  readonly rows: Iterable<Row> | AsyncIterable<Row>;
  /** Rows of figures under the table; called after the last row. A row's `currency` limits its sums to that currency's rows. */
  readonly totals: () => readonly Row[];
  /** Sentences under the totals; called after the last row. */
  readonly notes?: () => readonly string[];
  readonly frozenColumns?: number;
  readonly conditions?: readonly RowCondition[];
  readonly lists?: Readonly<Record<string, readonly string[]>>;
}

const POINTS_A_LINE = 13.5;
const INTEGER = '#,##0_)';
const BODY: AmountLook = { rule: 'hair' };
const TOTAL: AmountLook = { bold: true, rule: 'total' };
const STYLES: Readonly<Record<Exclude<TableColumnKind, 'money'>, Style>> = {
  text: { rule: 'hair', format: '@', align: 'left', indent: 1 },
  id: { rule: 'hair', format: '@', align: 'left', indent: 1 },
  integer: { rule: 'hair', format: INTEGER, align: 'right' },
  date: { rule: 'hair', format: 'yyyy-mm-dd', align: 'center' },
  datetime: { rule: 'hair', format: 'yyyy-mm-dd hh:mm', align: 'center' },
};
const WRAPPED: Style = { ...STYLES.text, wrap: true };
const TOTAL_TEXT: Style = { ...TOTAL, format: '@', align: 'left', indent: 1 };
const TOTAL_INTEGER: Style = { ...TOTAL, format: INTEGER, align: 'right' };
const NOTE: Style = { indent: 1, align: 'left', italic: true, colour: '595959' };

/**
 * A sheet of one table: header in the first row, a row a record, and after a blank row the totals as live formulas, so that
 * the table can be sorted, filtered and pivoted as it stands. Rows are streamed.
 */
export async function tableSheet(table: TableSheet): Promise<Sheet> {
  const { columns } = table;
  const { first, rest } = await peek(table.rows, ROWS_TO_FIT);
  const body = new TableBody(table);
  return {
    name: table.name,
    tabColour: table.accent.fill,
    widths: columns.map((column) => fittedWidth(column, first)),
    frozenRows: 1,
    frozenColumns: table.frozenColumns ?? 0,
    repeatedRows: 1,
    lines: body.lines(first, rest),
    tail: () => body.tail(),
  };
}

class TableBody {
  readonly #table: TableSheet;
  readonly #sums = new Map<string, ColumnSum>();
  #rows = 0;
  #asText = 0;

  constructor(table: TableSheet) {
    this.#table = table;
  }

  async *lines(first: readonly Row[], rest: AsyncIterable<Row>): AsyncGenerator<Line> {
    const { columns, accent, totals, notes } = this.#table;
    const head: Style = { bold: true, fill: accent.fill, colour: accent.text, wrap: true, vertical: 'middle' };
    const heads = {
      left: { ...head, align: 'left', indent: 1 },
      right: { ...head, align: 'right' },
      center: { ...head, align: 'center' },
    } as const;
    yield {
      height: 30,
      cells: columns.map(({ title, kind }) => ({
        value: title,
        style: heads[kind === 'money' ? 'right' : (STYLES[kind].align ?? 'left')],
      })),
    };
    for (const row of first) yield this.#line(row);
    for await (const row of rest) yield this.#line(row);
    const totalRows = totals();
    if (totalRows.length > 0) yield { cells: [] };
    for (const row of totalRows) yield this.#totalLine(row);
    const sentences = [...(notes?.() ?? [])];
    if (this.#asText > 0) {
      sentences.unshift(
        `Amounts on a yellow ground (${this.#asText}) have more digits than a spreadsheet's number can hold. They are text, so that no digit is lost, and no formula adds them up.`,
      );
    }
    if (sentences.length > 0) yield { cells: [] };
    for (const sentence of sentences) yield { cells: [{ value: sentence, style: NOTE }] };
  }

  tail(): SheetTail {
    const { columns, conditions = [], lists = {} } = this.#table;
    const last = columnLetters(columns.length - 1);
    const lastRow = this.#rows + 1;
    if (this.#rows === 0) return { autoFilter: `A1:${last}1` };
    const range = (from: string, to = from) => `${from}2:${to}${lastRow}`;
    return {
      autoFilter: `A1:${last}${lastRow}`,
      textNumbers: columns.flatMap(({ kind }, i) =>
        kind === 'id' || kind === 'text' ? [range(columnLetters(i))] : [],
      ),
      lists: Object.entries(lists).map(([name, words]) => ({ range: range(this.#letters(name)), words })),
      conditions: conditions.map(({ column, formula, style }) => ({
        range: column === undefined ? range('A', last) : range(this.#letters(column)),
        formula: formula.replace(/\{(\w+)\}/g, (_, name: string) => `$${this.#letters(name)}2`),
        style,
      })),
    };
  }

  #letters(name: string): string {
    return columnLetters(this.#table.columns.findIndex((column) => column.name === name));
  }

  #line(row: Row): Line {
    this.#rows += 1;
    const currency = row.currency ?? null;
    const cells = this.#table.columns.map((column) => this.#cell(column, row[column.name] ?? null, currency));
    const lines = linesOf(this.#table.columns, row);
    return lines > 1 ? { cells, height: lines * POINTS_A_LINE + 2 } : { cells };
  }

  #cell(column: TableColumn, cell: Cell, currency: Cell): SheetCell {
    const { kind } = column;
    if (cell === null) return { value: null, style: STYLES.text };
    if (kind === 'money') {
      const decimal = String(cell);
      const number = exactNumber(decimal);
      this.#sum(column, currency).add(decimal, number);
      if (number === null) this.#asText += 1;
      return cellOf(decimal, number, BODY);
    }
    if (kind === 'integer') {
      this.#sum(column, currency).add(String(cell));
      return { value: Number(cell), style: STYLES.integer };
    }
    const text = String(cell);
    if (kind === 'date' || kind === 'datetime') return { value: wallTime(text) ?? text, style: STYLES[kind] };
    return { value: text, style: column.wrap ? WRAPPED : STYLES[kind] };
  }

  /** The sum of a column's rows in one currency; all sums are kept, because totals are known only after the rows. */
  #sum({ name }: TableColumn, currency: Cell): ColumnSum {
    const key = `${name} ${currency}`;
    let sum = this.#sums.get(key);
    if (!sum) {
      sum = new ColumnSum();
      this.#sums.set(key, sum);
    }
    return sum;
  }

  #totalLine(row: Row): Line {
    const currency = row.currency ?? null;
    const cells = this.#table.columns.map((column, i): SheetCell => {
      const cell = row[column.name] ?? null;
      if (cell === null) return { value: i === 0 ? 'Total' : null, style: TOTAL_TEXT };
      const text = String(cell);
      if (column.kind !== 'money' && column.kind !== 'integer') return { value: text, style: TOTAL_TEXT };
      const formula = this.#sum(column, currency).gives(text) ? this.#formula(i, currency) : undefined;
      if (column.kind === 'money') return amountCell(text, TOTAL, formula && rounded(formula, text));
      return { value: formula ? { formula, result: Number(cell) } : Number(cell), style: TOTAL_INTEGER };
    });
    return { cells };
  }

  #formula(index: number, currency: Cell): string | undefined {
    if (this.#rows === 0) return undefined;
    const range = (letters: string) => `${letters}$2:${letters}$${this.#rows + 1}`;
    const values = range(columnLetters(index));
    const column = this.#table.columns.findIndex(({ name }) => name === 'currency');
    if (column === -1 || currency === null) return `SUM(${values})`;
    return `SUMIFS(${values},${range(`$${columnLetters(column)}`)},${quoted(String(currency))})`;
  }
}

/** Reads the first rows, so that columns can be fitted to them, and gives them back together with the rest. */
async function peek(rows: TableSheet['rows'], count: number): Promise<{ first: Row[]; rest: AsyncIterable<Row> }> {
  // A generator around the rows would be shorter, and cost as much time as reading them.
  const iterator = Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
  const first: Row[] = [];
  while (first.length < count) {
    const { value, done } = await iterator.next();
    if (done) break;
    first.push(value);
  }
  return { first, rest: { [Symbol.asyncIterator]: () => iterator as AsyncIterator<Row> } };
}

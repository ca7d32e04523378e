import type { Cell, Column, ColumnType, Report, Row } from '../../../reports/model.ts';
import { type PackedRow, PackedRows, unpacked } from '../../../reports/packed.ts';
import { mapped, pagesOf } from '../../../reports/pages.ts';
import type { Accent } from '../colour.ts';
import { isFigure } from '../figures.ts';
import type { Language } from '../language/index.ts';
import { type AmountLook, amountCell, ColumnSum, cellOf, numberStyle, rounded } from './amounts.ts';
import { dateTimeCell } from './date-cells.ts';
import { LongPage, LongRows } from './long-rows.ts';
import type { Line, Sheet, SheetCell, SheetTail, Style } from './model.ts';
import { columnLetters, quoted } from './names.ts';
import { fittedWidth, headingLines, isWrapped, linesOf, ROWS_TO_FIT } from './table-column.ts';
import { type Stretch, stretchesOf } from './table-stretches.ts';
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
  readonly language: Language;
  readonly columns: readonly Column[];
  readonly rows: Report['rows'];
  /** Rows of figures under the table; called after the last row. A row's `currency` limits its sums to that currency's rows. */
  readonly totals: () => readonly Row[];
  /** Sentences under the totals; called after the last row. */
  readonly notes?: () => readonly string[];
  readonly frozenColumns?: number;
  readonly conditions?: readonly RowCondition[];
  readonly lists?: Readonly<Record<string, readonly string[]>>;
  /** Columns that a person writes in. */
  readonly typed?: readonly string[];
  /** Rows of the same columns below the totals, under a heading of their own. */
  readonly below?: Below;
}

/** What stands below a table: settled rows, say, which the totals count only if somebody changes them in the sheet. */
export interface Below {
  readonly heading: string;
  readonly rows: readonly Row[];
  /** The totals, above and here, are of the rows whose column holds anything but this. */
  readonly settled: { readonly column: string; readonly is: string };
}

/** Totals follow a filter up to so many rows: asked row by row, they would hold up whoever works in a larger sheet. */
const MOST_FILTERED = 10_000;
/** At this width a page of A4 prints at about 7 points. */
const MOST_CHARACTERS_A_PAGE = 220;
const POINTS_A_LINE = 13.5;
const HEADING_HEIGHT = 30;
const INTEGER = '#,##0_)';
const BODY: AmountLook = { rule: 'hair' };
const TOTAL: AmountLook = { bold: true, rule: 'total' };
const TEXT: Style = { rule: 'hair', format: '@', align: 'left', indent: 1 };
const EMPTY: SheetCell = { value: null, style: TEXT };
const WRAPPED: Style = { ...TEXT, wrap: true };
const WHOLE: Style = { rule: 'hair', format: INTEGER, align: 'right' };
const DATE: Style = { rule: 'hair', format: 'yyyy-mm-dd', align: 'center' };
const TOTAL_TEXT: Style = { ...TOTAL, format: '@', align: 'left', indent: 1 };
const TOTAL_INTEGER: Style = { ...TOTAL, format: INTEGER, align: 'right' };
const HEADING: Style = { bold: true, size: 12, align: 'left', indent: 1 };
const NOTE: Style = { indent: 1, align: 'left', italic: true, colour: '595959' };

/** What is known of a table's rows when they have been written, for formulas over them. */
export interface TableSums {
  readonly rows: number;
  /** Whether a column's rows in a currency come to this figure, and a rounded spreadsheet sum of them does so too. */
  gives(column: string, currency: string, decimal: string): boolean;
}

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
  const body = new TableBody(table, widths);
  return {
    name: table.name,
    tabColour: table.accent.fill,
    widths,
    frozenRows: 1,
    frozenColumns: table.frozenColumns ?? 0,
    repeatedRows: 1,
    ...pagesFor(widths, table.frozenColumns ?? 0),
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

class TableBody implements TableSums {
  readonly #table: TableSheet;
  readonly #widths: readonly number[];
  readonly #isTyped: readonly boolean[];
  readonly #isWrapped: boolean;
  /** By currency, then by column: all sums are kept, because totals are known only after the rows. */
  readonly #sums = new Map<Cell, ColumnSum[]>();
  #rows = 0;
  #totals = 0;
  #asText = 0;
  /** Whether rows count in the totals: not those below them. */
  #isCounted = true;
  #long: LongRows | undefined;

  constructor(table: TableSheet, widths: readonly number[]) {
    const { columns, typed = [] } = table;
    this.#table = table;
    this.#widths = widths;
    this.#isTyped = columns.map(({ name }) => typed.includes(name));
    this.#isWrapped = columns.some(isWrapped);
  }

  /** The whole sheet: heading, rows, totals and what stands below them. */
  async *pages(rows: AsyncIterable<Written>): AsyncGenerator<Written> {
    yield [this.#heading()];
    yield* rows;
    yield this.#end();
  }

  /** Rows that are written without an object for each cell. */
  longPage(page: Iterable<PackedRow>): LongPage {
    this.#long ??= new LongRows({
      columns: this.#table.columns,
      amountStyle: (decimals) => numberStyle(BODY, decimals),
      cell: (index, cells) => this.#packedCell(index, cells),
      begin: (currency) => {
        this.#rows += 1;
        return this.#sumsOf(currency);
      },
    });
    return new LongPage(page, this.#long);
  }

  #packedCell(index: number, cells: PackedRow): SheetCell {
    const currency = cells[this.#table.columns.findIndex(({ name }) => name === 'currency')];
    const { columns } = this.#table;
    const row = unpacked([columns[index]!], [cells[index] ?? null]);
    return this.#cell(index, row, this.#sumsOf((currency ?? null) as Cell));
  }

  get rows(): number {
    return this.#rows;
  }

  gives(column: string, currency: string, decimal: string): boolean {
    const index = this.#table.columns.findIndex(({ name }) => name === column);
    return this.#sumsOf(currency)[index]!.gives(decimal);
  }

  #heading(): Line {
    const { columns, accent } = this.#table;
    const head: Style = { bold: true, fill: accent.fill, colour: accent.text, wrap: true, vertical: 'middle' };
    const heads = {
      left: { ...head, align: 'left', indent: 1 },
      right: { ...head, align: 'right', indent: 1 },
      center: { ...head, align: 'center' },
    } as const;
    return {
      height: Math.max(HEADING_HEIGHT, headingLines(columns, this.#widths) * POINTS_A_LINE + 3),
      cells: columns.map(({ title, type }) => ({ value: title, style: heads[alignOf(type)] })),
    };
  }

  /** The totals and what stands below them, once the last row is read. */
  *#end(): Generator<Line> {
    const { language, totals, notes } = this.#table;
    const totalRows = totals();
    this.#totals = totalRows.length;
    if (totalRows.length > 0) yield { cells: [] };
    for (const row of totalRows) yield this.#totalLine(row);
    yield* this.#below();
    const sentences = [...(notes?.() ?? [])];
    if (this.#asText > 0) {
      sentences.unshift(
        language.say(
          "Amounts on a yellow ground ({count}) have more digits than a spreadsheet's number can hold. They are text, so that no digit is lost, and no formula adds them up.",
          { count: this.#asText },
        ),
      );
    }
    if (this.#rows > MOST_FILTERED && totalRows.length > 1) {
      sentences.push(
        language.say('The totals are of all rows, whatever a filter hides: there are too many to ask one by one.'),
      );
    }
    if (sentences.length > 0) yield { cells: [] };
    for (const sentence of sentences) yield this.#sentence(sentence, NOTE);
  }

  /** Text over the columns, from the first that is printed once: the second page would repeat its beginning. */
  #sentence(value: string, style: Style): Line {
    const repeated = pagesFor(this.#widths, this.#table.frozenColumns ?? 0).repeatedColumns ?? 0;
    return { cells: [...Array.from({ length: repeated }, () => null), { value, style }] };
  }

  *#below(): Generator<Line> {
    const { below } = this.#table;
    if (!below || below.rows.length === 0) return;
    yield { cells: [] };
    yield this.#sentence(below.heading, HEADING);
    this.#isCounted = false;
    for (const row of below.rows) yield this.line(row);
  }

  tail(): SheetTail {
    const { columns, conditions = [], lists = {} } = this.#table;
    const last = columnLetters(columns.length - 1);
    const stretches = this.#stretches();
    const autoFilter = `A1:${last}${this.#rows + 1}`;
    if (stretches.length === 0) return { autoFilter };
    const ranges = (from: string, to = from) => stretches.map((rows) => `${from}${rows.first}:${to}${rows.last}`);
    const firstRow = stretches[0]!.first;
    return {
      autoFilter,
      textNumbers: columns.flatMap(({ type }, i) =>
        type === 'id' || type === 'number' || type === 'text' ? ranges(columnLetters(i)) : [],
      ),
      lists: Object.entries(lists).flatMap(([name, words]) =>
        ranges(this.#letters(name)).map((range) => ({ range, words })),
      ),
      conditions: conditions.map(({ column, formula, style }) => ({
        range: (column === undefined ? ranges('A', last) : ranges(this.#letters(column))).join(' '),
        formula: formula.replace(/\{(\w+)\}/g, (_, name: string) => `$${this.#letters(name)}${firstRow}`),
        style,
      })),
    };
  }

  #stretches(): readonly Stretch[] {
    const below = this.#table.below?.rows.length ?? 0;
    return stretchesOf(this.#rows, this.#totals, below).filter(({ first, last }) => first <= last);
  }

  #letters(name: string): string {
    return columnLetters(this.#table.columns.findIndex((column) => column.name === name));
  }

  line(row: Row): Line {
    if (this.#isCounted) this.#rows += 1;
    const { columns } = this.#table;
    const sums = this.#sumsOf(row.currency ?? null);
    const cells: SheetCell[] = [];
    for (let index = 0; index < columns.length; index += 1) {
      const cell = this.#cell(index, row, sums);
      cells.push(this.#isTyped[index] ? { ...cell, typed: true } : cell);
    }
    const lines = this.#isWrapped ? linesOf(columns, this.#widths, row) : 1;
    return lines > 1 ? { cells, height: lines * POINTS_A_LINE + 2 } : { cells };
  }

  #cell(index: number, row: Row, sums: readonly ColumnSum[]): SheetCell {
    const { type, name } = this.#table.columns[index]!;
    const cell = row[name] ?? null;
    if (cell === null) return EMPTY;
    const text = String(cell);
    switch (type) {
      case 'money':
        return this.#amount(text, sums[index]!);
      case 'measure':
        return row.unit === 'money' ? this.#amount(text, sums[index]!) : { value: Number(text), style: WHOLE };
      case 'count':
      case 'days':
        if (this.#isCounted) sums[index]!.add(text);
        return { value: Number(text), style: WHOLE };
      case 'date':
        return { value: wallTime(text) ?? text, style: DATE };
      case 'datetime':
        return dateTimeCell(text);
      case 'wide':
        return { value: text, style: WRAPPED };
      default:
        return { value: text, style: TEXT };
    }
  }

  #amount(decimal: string, sum: ColumnSum): SheetCell {
    const number = exactNumber(decimal);
    if (this.#isCounted) sum.add(decimal, number);
    if (number === null) this.#asText += 1;
    return cellOf(decimal, number, BODY);
  }

  /** The sums of the columns over the rows in one currency. */
  #sumsOf(currency: Cell): readonly ColumnSum[] {
    let sums = this.#sums.get(currency);
    if (!sums) {
      sums = this.#table.columns.map(() => new ColumnSum());
      this.#sums.set(currency, sums);
    }
    return sums;
  }

  #totalLine(row: Row): Line {
    const currency = row.currency ?? null;
    const sums = this.#sumsOf(currency);
    const cells = this.#table.columns.map((column, i): SheetCell => {
      const cell = row[column.name] ?? null;
      if (cell === null) return { value: i === 0 ? this.#table.language.say('Total') : null, style: TOTAL_TEXT };
      const text = String(cell);
      const isCount = column.type === 'count' || column.type === 'days';
      if (column.type !== 'money' && !isCount) return { value: text, style: TOTAL_TEXT };
      const formula = sums[i]!.gives(text) ? this.#formula(i, currency) : undefined;
      if (!isCount) return amountCell(text, TOTAL, formula && rounded(formula, text));
      return { value: formula ? { formula, result: Number(cell) } : Number(cell), style: TOTAL_INTEGER };
    });
    return { cells };
  }

  /** The sum of what a filter leaves of the table, and of what counts below it. */
  #formula(index: number, currency: Cell): string | undefined {
    if (this.#rows === 0) return undefined;
    const { columns, below } = this.#table;
    const hasCurrency = currency !== null && columns.some(({ name }) => name === 'currency');
    const where = [
      ...(hasCurrency && this.#totals > 1 ? [{ column: 'currency', sign: '=', text: currency }] : []),
      ...(below ? [{ column: below.settled.column, sign: '<>', text: below.settled.is }] : []),
    ].map(({ column, sign, text }) => ({ letters: `$${this.#letters(column)}`, sign, text: String(text) }));
    const [own, ...rest] = this.#stretches();
    const sumOf = { letters: columnLetters(index), where };
    const shown = this.#rows <= MOST_FILTERED ? sumOfShown(own!, sumOf) : sumOfAll(own!, sumOf);
    return [shown, ...rest.map((stretch) => sumOfAll(stretch, sumOf))].join('+');
  }
}

interface SumOf {
  readonly letters: string;
  /** What other columns' cells must be, or with `<>` must not. */
  readonly where: readonly { readonly letters: string; readonly sign: string; readonly text: string }[];
}

function sumOfAll(stretch: Stretch, { letters, where }: SumOf): string {
  const values = rangeOf(letters, stretch);
  if (where.length === 0) return `SUM(${values})`;
  const conditions = where.map(
    ({ letters: at, sign, text }) => `${rangeOf(at, stretch)},${quoted(sign === '=' ? text : sign + text)}`,
  );
  return `SUMIFS(${[values, ...conditions].join(',')})`;
}

/** The same over the rows that no filter hides: SUBTOTAL knows them, and row by row it can be asked together with a condition. */
function sumOfShown(stretch: Stretch, { letters, where }: SumOf): string {
  const values = rangeOf(letters, stretch);
  if (where.length === 0) return `SUBTOTAL(109,${values})`;
  const top = `${letters}$${stretch.first}`;
  const conditions = where.map((each) => `--(${rangeOf(each.letters, stretch)}${each.sign}${quoted(each.text)})`);
  return `SUMPRODUCT(SUBTOTAL(109,OFFSET(${top},ROW(${values})-${stretch.first},0)),${conditions.join(',')})`;
}

function rangeOf(letters: string, { first, last }: Stretch): string {
  return `${letters}$${first}:${letters}$${last}`;
}

/** Where a column's texts stand, and its heading over them. */
function alignOf(type: ColumnType): 'left' | 'right' | 'center' {
  if (isFigure(type)) return 'right';
  return type === 'date' || type === 'datetime' ? 'center' : 'left';
}

/** Lines, or rows that write themselves. */
type Written = Iterable<Line> | LongPage;

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

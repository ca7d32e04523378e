import type { Cell, Row } from '../../../reports/model.ts';
import { type PackedRow, unpacked } from '../../../reports/packed.ts';
import { type AmountLook, amountCell, ColumnSum, cellOf, numberStyle, rounded } from './amounts.ts';
import { dateTimeCell } from './date-cells.ts';
import { LongPage, LongRows } from './long-rows.ts';
import type { Line, SheetCell, SheetTail, Style } from './model.ts';
import { columnLetters } from './names.ts';
import { isWrapped, lettersOf, linesOf, POINTS_A_LINE } from './table-column.ts';
import { sumOfAll, sumOfShown } from './table-formulas.ts';
import { headingLine } from './table-heading.ts';
import type { TableSheet, TableSums } from './table-model.ts';
import { type Stretch, stretchesOf } from './table-stretches.ts';
import { tableTail } from './table-tail.ts';
import { exactNumber, wallTime } from './values.ts';

/** Totals follow a filter up to so many rows: asked row by row, they would hold up whoever works in a larger sheet. */
const MOST_FILTERED = 10_000;
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

/** Lines, or rows that write themselves. */
export type Written = Iterable<Line> | LongPage;

/** The rows of a table's sheet and what stands around them. Sums are kept while they are made. */
export class TableBody implements TableSums {
  readonly #table: TableSheet;
  readonly #widths: readonly number[];
  readonly #repeatedColumns: number;
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

  /**
   * @param widths of the columns, in characters
   * @param repeatedColumns how many columns each printed page begins with
   */
  constructor(table: TableSheet, widths: readonly number[], repeatedColumns: number) {
    const { columns, typed = [] } = table;
    this.#table = table;
    this.#widths = widths;
    this.#repeatedColumns = repeatedColumns;
    this.#isTyped = columns.map(({ name }) => typed.includes(name));
    this.#isWrapped = columns.some(isWrapped);
  }

  /** The whole sheet: heading, rows, totals and what stands below them. */
  async *pages(rows: AsyncIterable<Written>): AsyncGenerator<Written> {
    const { columns, accent } = this.#table;
    yield [headingLine(columns, this.#widths, accent)];
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
    return { cells: [...Array.from({ length: this.#repeatedColumns }, () => null), { value, style }] };
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
    return tableTail(this.#table, this.#rows, this.#stretches());
  }

  #stretches(): readonly Stretch[] {
    const below = this.#table.below?.rows.length ?? 0;
    return stretchesOf(this.#rows, this.#totals, below).filter(({ first, last }) => first <= last);
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
    ].map(({ column, sign, text }) => ({ letters: `$${lettersOf(columns, column)}`, sign, text: String(text) }));
    const [own, ...rest] = this.#stretches();
    const sumOf = { letters: columnLetters(index), where };
    const shown = this.#rows <= MOST_FILTERED ? sumOfShown(own!, sumOf) : sumOfAll(own!, sumOf);
    return [shown, ...rest.map((stretch) => sumOfAll(stretch, sumOf))].join('+');
  }
}

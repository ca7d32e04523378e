import { formatAmount, parseAmount } from '../../money/index.ts';
import type { SaidReport, SaidRow } from '../in-words.ts';
import { type AmountLook, amountCell, ColumnSum, rounded } from './amounts.ts';
import { absoluteRange, quoted, type Stretch, stretchesOf } from './formulas.ts';
import type { SheetCell, Style } from './model.ts';

/** A condition on a column: equal to a word, different from it, or beginning with it; `at` is a cell with the same word, which may be any text. */
export type Where = { readonly column: string } & (
  | { readonly is: string; readonly at?: string }
  | { readonly not: string }
  | { readonly begins: string }
);

function fits(row: SaidRow, where: Where): boolean {
  const cell = row[where.column] ?? '';
  if ('is' in where) return cell === where.is;
  return 'not' in where ? cell !== where.not : typeof cell === 'string' && cell.startsWith(where.begins);
}

function isAtCell(where: Where): boolean {
  return 'at' in where;
}

function criterionOf(where: Where): string {
  if ('is' in where) return where.is;
  return 'not' in where ? `<>${where.not}` : `${where.begins}*`;
}

function sumOf(amounts: readonly string[]): ColumnSum {
  const sum = new ColumnSum();
  for (const amount of amounts) sum.add(amount);
  return sum;
}

/** A table on another sheet of the workbook, for live formulas over it. */
export class TableRef {
  readonly #report: SaidReport;
  readonly #rows: readonly SaidRow[];
  readonly #seeRows: string;
  readonly #stretches: readonly Stretch[];

  /**
   * @param rows the report's rows, which must be few enough to be held
   * @param below rows of the same columns below the totals
   * @param seeRows what a link to rows says
   */
  constructor(
    report: SaidReport,
    rows: readonly SaidRow[],
    { below = [], seeRows }: { readonly below?: readonly SaidRow[]; readonly seeRows: string },
  ) {
    this.#report = report;
    this.#seeRows = seeRows;
    this.#rows = [...rows, ...below];
    const stretches = stretchesOf(rows.length, report.totals().length, below.length);
    // Of an empty table the row in which the first would stand.
    this.#stretches = stretches.length > 0 ? stretches : [{ first: 2, last: 2 }];
  }

  /**
   * A cell with the sum of a column, or of several together, live where a spreadsheet's sum gives the figure to the last digit.
   *
   * @param withRest live even where the figure differs from these rows' sum: the formula adds the difference as a constant
   */
  sum(
    columns: string | readonly string[],
    where: readonly Where[],
    decimal: string,
    look: AmountLook,
    { withRest = false }: { readonly withRest?: boolean } = {},
  ): SheetCell {
    const names = typeof columns === 'string' ? [columns] : columns;
    const amounts = this.#matching(where).flatMap((row) =>
      names.flatMap((column) => (row[column] === null ? [] : [String(row[column])])),
    );
    const formula = this.#stretches
      .flatMap((rows) => names.map((column) => this.#sumIn(rows, column, where)))
      .join('+');
    if (sumOf(amounts).gives(decimal)) return amountCell(decimal, look, rounded(formula, decimal));
    // The part of the figure that is not in these rows is added as a constant, so that the rest stays live.
    const rest = formatAmount(amounts.reduce((left, amount) => left.minus(parseAmount(amount)), parseAmount(decimal)));
    if (!withRest || !sumOf([...amounts, rest]).gives(decimal)) return amountCell(decimal, look);
    return amountCell(decimal, look, rounded(`${formula}+(${rest})`, decimal));
  }

  /** A cell with a number of rows that is known, live by the first of some conditions by which the table has as many. */
  countOf(count: number, style: Style, ...conditions: readonly (readonly Where[])[]): SheetCell {
    const where = conditions.find((one) => this.#matching(one).length === count);
    return where ? this.count(where, style) : { value: count, style };
  }

  /** A cell that leads to the first of some rows; empty where there is none. */
  linkTo(where: readonly Where[], style: Style): SheetCell {
    const [first] = this.#matching(where);
    if (!first) return { value: null, style };
    const target = `#'${this.#report.title}'!A${this.#rowNumber(this.#rows.indexOf(first))}`;
    return {
      value: { formula: `HYPERLINK(${quoted(target)},${quoted(this.#seeRows)})`, result: this.#seeRows },
      style,
    };
  }

  /** A cell with the number of rows, live. */
  count(where: readonly Where[], style: Style): SheetCell {
    const result = this.#matching(where).length;
    const formula = this.#stretches.map((rows) => this.#countIn(rows, where)).join('+');
    return { value: { formula, result }, style };
  }

  #matching(where: readonly Where[]): SaidRow[] {
    return this.#rows.filter((row) => where.every((each) => fits(row, each)));
  }

  #sumIn(rows: Stretch, column: string, where: readonly Where[]): string {
    const values = this.#range(column, rows);
    if (!where.some(isAtCell)) return `SUMIFS(${values}${this.#criteria(where, rows)})`;
    return `SUMPRODUCT(${[...this.#tests(where, rows), values].join(',')})`;
  }

  #countIn(rows: Stretch, where: readonly Where[]): string {
    if (!where.some(isAtCell)) return `COUNTIFS(${this.#criteria(where, rows).slice(1)})`;
    return `SUMPRODUCT(${this.#tests(where, rows).join(',')})`;
  }

  /** The conditions row by row: a criterion of SUMIFS is a pattern, and at most 255 characters long. */
  #tests(where: readonly Where[], rows: Stretch): string[] {
    return where.map((each) => {
      const range = this.#range(each.column, rows);
      if ('begins' in each) return `--(LEFT(${range},${each.begins.length})=${quoted(each.begins)})`;
      if ('not' in each) return `--(${range}<>${quoted(each.not)})`;
      return each.at === undefined ? `--(${range}=${quoted(each.is)})` : `--EXACT(${range},${each.at})`;
    });
  }

  #criteria(where: readonly Where[], rows: Stretch): string {
    return where.map((each) => `,${this.#range(each.column, rows)},${quoted(criterionOf(each))}`).join('');
  }

  #range(column: string, rows: Stretch): string {
    const index = this.#report.columns.findIndex(({ name }) => name === column);
    return absoluteRange(this.#report.title, index, rows);
  }

  /** A row's number on its sheet, from 1. */
  #rowNumber(index: number): number {
    let left = index;
    for (const { first, last } of this.#stretches) {
      if (left <= last - first) return first + left;
      left -= last - first + 1;
    }
    return 1;
  }
}

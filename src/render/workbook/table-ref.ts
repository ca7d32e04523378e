import { formatAmount, parseAmount } from '../../money/index.ts';
import type { SaidReport, SaidRow } from '../in-words.ts';
import { type AmountLook, amountCell, ColumnSum, rounded } from './amounts.ts';
import { absoluteRange, quoted, type Stretch, stretchesOf } from './formulas.ts';
import type { SheetCell, Style } from './model.ts';

/** A condition on a column: equal to a word, different from it, or beginning with it. */
export type Where = { readonly column: string } & (
  | { readonly is: string }
  | { readonly not: string }
  | { readonly begins: string }
);

function fits(row: SaidRow, where: Where): boolean {
  const cell = row[where.column];
  if ('is' in where) return cell === where.is;
  return 'not' in where ? cell !== where.not : typeof cell === 'string' && cell.startsWith(where.begins);
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
    this.#stretches = stretchesOf(rows.length, report.totals().length, below.length);
  }

  /**
   * A cell with the sum of a column, live where a spreadsheet's sum gives the figure to the last digit.
   *
   * @param withRest live even where the figure differs from these rows' sum: the formula adds the difference as a constant
   */
  sum(
    column: string,
    where: readonly Where[],
    decimal: string,
    look: AmountLook,
    { withRest = false }: { readonly withRest?: boolean } = {},
  ): SheetCell {
    const amounts = this.#matching(where).flatMap((row) => (row[column] === null ? [] : [String(row[column])]));
    const formula = this.#stretches
      .map((rows) => `SUMIFS(${this.#range(column, rows)}${this.#criteria(where, rows)})`)
      .join('+');
    const isLive = this.#rows.length > 0;
    if (isLive && sumOf(amounts).gives(decimal)) return amountCell(decimal, look, rounded(formula, decimal));
    // The part of the figure that is not in these rows is added as a constant, so that the rest stays live.
    const rest = formatAmount(amounts.reduce((left, amount) => left.minus(parseAmount(amount)), parseAmount(decimal)));
    if (!isLive || !withRest || !sumOf([...amounts, rest]).gives(decimal)) return amountCell(decimal, look);
    return amountCell(decimal, look, rounded(`${formula}+(${rest})`, decimal));
  }

  /** A cell with a number of rows that is known, live where the table has as many. */
  countOf(where: readonly Where[], count: number, style: Style): SheetCell {
    return this.#matching(where).length === count ? this.count(where, style) : { value: count, style };
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
    if (this.#rows.length === 0) return { value: 0, style };
    const formula = this.#stretches.map((rows) => `COUNTIFS(${this.#criteria(where, rows).slice(1)})`).join('+');
    return { value: { formula, result }, style };
  }

  #matching(where: readonly Where[]): SaidRow[] {
    return this.#rows.filter((row) => where.every((each) => fits(row, each)));
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

import { formatAmount, parseAmount } from '../../money/decimal.ts';
import type { SaidReport, SaidRow } from '../in-words.ts';
import { type AmountLook, amountCell, ColumnSum, rounded } from './amounts.ts';
import type { SheetCell, Style } from './model.ts';
import { absoluteRange, formulaText, type Stretch, stretchesOf } from './values.ts';

/**
 * A column is equal to a word, different from it, or begins with it. `at`: the address of a cell that holds the word.
 * The formula refers to that cell, because a long word does not fit into a formula.
 */
export type Condition = { readonly column: string } & (
  | { readonly is: string; readonly at?: string }
  | { readonly not: string }
  | { readonly begins: string }
);

function fits(row: SaidRow, condition: Condition): boolean {
  const cell = row[condition.column] ?? '';
  if ('is' in condition) return cell === condition.is;
  return 'not' in condition ? cell !== condition.not : typeof cell === 'string' && cell.startsWith(condition.begins);
}

function isAtCell(condition: Condition): boolean {
  return 'at' in condition;
}

function criterionOf(condition: Condition): string {
  if ('is' in condition) return condition.is;
  return 'not' in condition ? `<>${condition.not}` : `${condition.begins}*`;
}

function sumOf(amounts: readonly string[]): ColumnSum {
  const sum = new ColumnSum();
  for (const amount of amounts) sum.add(amount);
  return sum;
}

function negated(amount: string): string {
  return formatAmount(parseAmount(amount).negated());
}

/** The rows of a table's sheet, as live formulas of other sheets refer to them. */
export class TableRef {
  readonly #report: SaidReport;
  readonly #rows: readonly SaidRow[];
  readonly #seeRows: string;
  readonly #stretches: readonly Stretch[];

  /**
   * @param rows the report's rows, which must be few enough for the memory
   * @param below rows of the same columns below the totals
   * @param seeRows the text of a link to rows
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
    // The formulas over an empty table refer to the row in which its first would be.
    this.#stretches = stretches.length > 0 ? stretches : [{ first: 2, last: 2 }];
  }

  /**
   * A cell with the sum of columns: a live formula if a spreadsheet's sum gives the figure to the last digit.
   *
   * @param options `isNegated`: the figure is the sum with the opposite sign; `withRemainder`: the formula may add a
   *   constant, if the figure differs from the sum
   */
  sum(
    columns: readonly string[],
    where: readonly Condition[],
    decimal: string,
    look: AmountLook,
    { isNegated = false, withRemainder = false } = {},
  ): SheetCell {
    const cells = this.#matching(where).flatMap((row) => columns.map((column) => row[column] ?? null));
    const amounts = cells.flatMap((cell) => (cell === null ? [] : [isNegated ? negated(String(cell)) : String(cell)]));
    const sums = this.#stretches.flatMap((rows) => columns.map((column) => this.#sumIn(rows, column, where))).join('+');
    const formula = isNegated ? `0-(${sums})` : sums;
    if (sumOf(amounts).gives(decimal)) return amountCell(decimal, look, rounded(formula, decimal));
    // What is missing from these rows is added as a constant, so that the rows stay live.
    const remainder = formatAmount(
      amounts.reduce((sum, amount) => sum.minus(parseAmount(amount)), parseAmount(decimal)),
    );
    if (!withRemainder || !sumOf([...amounts, remainder]).gives(decimal)) return amountCell(decimal, look);
    return amountCell(decimal, look, rounded(`${formula}+(${remainder})`, decimal));
  }

  /**
   * A cell with a number of rows: a live formula with the first of the `choices` of conditions that finds so many rows,
   * or the number alone if none does.
   */
  countOf(count: number, style: Style, ...choices: readonly (readonly Condition[])[]): SheetCell {
    const where = choices.find((conditions) => this.#matching(conditions).length === count);
    if (!where) return { value: count, style };
    const formula = this.#stretches.map((rows) => this.#countIn(rows, where)).join('+');
    return { value: { formula, result: count }, style };
  }

  /** A cell with a link to the first of some rows; empty if there is none. */
  linkTo(where: readonly Condition[], style: Style): SheetCell {
    const [first] = this.#matching(where);
    if (!first) return { value: null, style };
    const target = `#'${this.#report.title}'!A${this.#rowNumber(this.#rows.indexOf(first))}`;
    return {
      value: { formula: `HYPERLINK(${formulaText(target)},${formulaText(this.#seeRows)})`, result: this.#seeRows },
      style,
    };
  }

  #matching(where: readonly Condition[]): SaidRow[] {
    return this.#rows.filter((row) => where.every((each) => fits(row, each)));
  }

  #sumIn(rows: Stretch, column: string, where: readonly Condition[]): string {
    const values = this.#range(column, rows);
    if (!where.some(isAtCell)) return `SUMIFS(${values}${this.#criteria(where, rows)})`;
    return `SUMPRODUCT(${[...this.#tests(where, rows), values].join(',')})`;
  }

  #countIn(rows: Stretch, where: readonly Condition[]): string {
    // COUNTIFS begins with a criterion: the comma before the first is cut off.
    if (!where.some(isAtCell)) return `COUNTIFS(${this.#criteria(where, rows).slice(1)})`;
    return `SUMPRODUCT(${this.#tests(where, rows).join(',')})`;
  }

  /** The conditions row by row: a criterion of SUMIFS is a pattern, and at most 255 characters long. */
  #tests(where: readonly Condition[], rows: Stretch): string[] {
    return where.map((each) => {
      const range = this.#range(each.column, rows);
      if ('begins' in each) return `--(LEFT(${range},${each.begins.length})=${formulaText(each.begins)})`;
      if ('not' in each) return `--(${range}<>${formulaText(each.not)})`;
      return each.at === undefined ? `--(${range}=${formulaText(each.is)})` : `--EXACT(${range},${each.at})`;
    });
  }

  #criteria(where: readonly Condition[], rows: Stretch): string {
    return where.map((each) => `,${this.#range(each.column, rows)},${formulaText(criterionOf(each))}`).join('');
  }

  #range(column: string, rows: Stretch): string {
    const index = this.#report.columns.findIndex(({ name }) => name === column);
    return absoluteRange(this.#report.title, index, rows);
  }

  /** A row's number on its sheet, from 1. */
  #rowNumber(index: number): number {
    let offset = index;
    for (const { first, last } of this.#stretches) {
      if (offset <= last - first) return first + offset;
      offset -= last - first + 1;
    }
    return 1;
  }
}

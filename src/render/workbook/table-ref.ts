import type { Report, Row } from '../../../reports/model.ts';
import { type AmountLook, amountCell, ColumnSum, rounded } from './amounts.ts';
import type { SheetCell, Style } from './model.ts';
import { absoluteRange, quoted } from './names.ts';

/** What a column must hold: a word, or with `not` anything else. */
export interface Where {
  readonly column: string;
  readonly is?: string;
  readonly not?: string;
}

/** A table on another sheet of the workbook, for live formulas over it. */
export class TableRef {
  readonly #report: Report;
  readonly #rows: readonly Row[];

  /** @param rows the report's rows, which must be few enough to be held */
  constructor(report: Report, rows: readonly Row[]) {
    this.#report = report;
    this.#rows = rows;
  }

  /** A cell with the sum of a column, live where a spreadsheet's sum gives the figure to the last digit. */
  sum(column: string, where: readonly Where[], decimal: string, look: AmountLook): SheetCell {
    const sum = new ColumnSum();
    for (const row of this.#matching(where)) if (row[column] !== null) sum.add(String(row[column]));
    if (this.#rows.length === 0 || !sum.gives(decimal)) return amountCell(decimal, look);
    const formula = `SUMIFS(${this.#range(column)}${this.#criteria(where)})`;
    return amountCell(decimal, look, rounded(formula, decimal));
  }

  /** A cell with the number of rows, live. */
  count(where: readonly Where[], style: Style): SheetCell {
    const result = this.#matching(where).length;
    if (this.#rows.length === 0) return { value: 0, style };
    return { value: { formula: `COUNTIFS(${this.#criteria(where).slice(1)})`, result }, style };
  }

  #matching(where: readonly Where[]): Row[] {
    return this.#rows.filter((row) =>
      where.every(({ column, is, not }) => (is === undefined ? row[column] !== not : row[column] === is)),
    );
  }

  #criteria(where: readonly Where[]): string {
    return where
      .map(({ column, is, not }) => `,${this.#range(column)},${quoted(is === undefined ? `<>${not}` : is)}`)
      .join('');
  }

  #range(column: string): string {
    const index = this.#report.columns.findIndex(({ name }) => name === column);
    return absoluteRange(this.#report.title, index, 2, this.#rows.length + 1);
  }
}

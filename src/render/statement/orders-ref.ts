import type { SaidReport } from '../in-words.ts';
import { type AmountLook, amountCell, rounded } from '../workbook/amounts.ts';
import { absoluteRange, quoted } from '../workbook/formulas.ts';
import type { SheetCell } from '../workbook/model.ts';
import type { TableSums } from '../workbook/table-model.ts';
import type { Condition, RowSource } from '../workbook/table-ref.ts';

/** The Orders sheet, whose rows are streamed and not held, for formulas of a sheet that is made when they have been written. */
export class OrdersRef implements Pick<RowSource, 'sum'> {
  readonly #orders: SaidReport;
  readonly #sums: TableSums;

  constructor(orders: SaidReport, sums: TableSums) {
    this.#orders = orders;
    this.#sums = sums;
  }

  sum([column = '']: readonly string[], where: readonly Condition[], decimal: string, look: AmountLook): SheetCell {
    const { rows } = this.#sums;
    const currency = where.flatMap((one) => ('is' in one ? [one.is] : []))[0] ?? '';
    if (rows === 0 || !this.#sums.gives(column, currency, decimal)) return amountCell(decimal, look);
    const range = (name: string) => {
      const index = this.#orders.columns.findIndex((one) => one.name === name);
      return absoluteRange(this.#orders.title, index, { first: 2, last: rows + 1 });
    };
    const formula = `SUMIFS(${range(column)},${range('currency')},${quoted(currency)})`;
    return amountCell(decimal, look, rounded(formula, decimal));
  }
}

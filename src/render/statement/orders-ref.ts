import type { SaidReport } from '../in-words.ts';
import { type AmountLook, amountCell, rounded } from '../workbook/amounts.ts';
import { absoluteRange, quoted } from '../workbook/formulas.ts';
import type { SheetCell } from '../workbook/model.ts';
import type { TableSums } from '../workbook/table-model.ts';

/** The Orders sheet, for formulas of a sheet that is made when its rows have been written. */
export class OrdersRef {
  readonly #orders: SaidReport;
  readonly #sums: TableSums;

  /** @param sums of the sheet's rows, which are streamed and not held */
  constructor(orders: SaidReport, sums: TableSums) {
    this.#orders = orders;
    this.#sums = sums;
  }

  /** Our figure in a currency: live, where a spreadsheet's sum gives it to the last digit. */
  ours(currency: string, decimal: string, look: AmountLook): SheetCell {
    const { rows } = this.#sums;
    if (rows === 0 || !this.#sums.gives('own_net', currency, decimal)) return amountCell(decimal, look);
    const range = (column: string) => {
      const index = this.#orders.columns.findIndex(({ name }) => name === column);
      return absoluteRange(this.#orders.title, index, { first: 2, last: rows + 1 });
    };
    const formula = `SUMIFS(${range('own_net')},${range('currency')},${quoted(currency)})`;
    return amountCell(decimal, look, rounded(formula, decimal));
  }
}

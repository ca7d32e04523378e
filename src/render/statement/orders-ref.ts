import type { Statement } from '../../../reports/statement/index.ts';
import { type AmountLook, amountCell, rounded } from '../workbook/amounts.ts';
import type { SheetCell } from '../workbook/model.ts';
import { absoluteRange, quoted } from '../workbook/names.ts';

/** A double adds up with an error of at most this share of what it adds, for each number added. */
const ERROR_A_NUMBER = 2 ** -53;
/** Whole units up to here are added exactly. */
const EXACT_WHOLE = 9e14;
/** Amounts with decimals up to here have at most 15 digits. */
const EXACT_PARTS = 1e11;

/** The Orders sheet, for formulas of a sheet that is written before it: its rows are streamed, so only how many and how large is known. */
export class OrdersRef {
  readonly #statement: Statement;

  constructor(statement: Statement) {
    this.#statement = statement;
  }

  /** Our figure in a currency: live, where a spreadsheet's sum of so many rows is certain to give it to the last digit. */
  ours(currency: string, decimal: string, look: AmountLook): SheetCell {
    const { tables, ownExtent } = this.#statement;
    const { lines } = ownExtent;
    if (lines === 0 || !this.#isExact(currency, decimal)) return amountCell(decimal, look);
    const range = (column: string) => {
      const index = tables.orders.columns.findIndex(({ name }) => name === column);
      return absoluteRange(tables.orders.title, index, 2, lines + 1);
    };
    const formula = `SUMIFS(${range('own_net')},${range('currency')},${quoted(currency)})`;
    return amountCell(decimal, look, rounded(formula, decimal));
  }

  #isExact(currency: string, decimal: string): boolean {
    const { lines, magnitudes } = this.#statement.ownExtent;
    const magnitude = magnitudes.get(currency);
    if (!magnitude) return true;
    if (!magnitude.hasDecimals) return magnitude.sum < EXACT_WHOLE;
    const decimals = decimal.length - decimal.indexOf('.') - 1;
    return magnitude.sum < EXACT_PARTS && lines * magnitude.sum * ERROR_A_NUMBER < 0.4 * 10 ** -decimals;
  }
}

import { amountOfUnits, formatGrouped, parseAmount, parseUnits, type Units } from '../../money/index.ts';
import type { CellValue, SheetCell, Style } from './model.ts';
import { exactNumber } from './values.ts';

/** The looks of one kind of amount cell: a total, a plain cell, one on a shaded row. */
export type AmountLook = Omit<Style, 'format' | 'align'>;

const FLAG_FILL = 'FFE699';

/** Of each look its styles, by the number of decimals. */
const numberStyles = new WeakMap<AmountLook, Style[]>();
const textStyles = new WeakMap<AmountLook, Style>();

/** As many decimals as the figure is written with; negative in red and parentheses, aligned with the positive ones. */
function moneyFormat(decimals: number): string {
  const digits = decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`;
  return `${digits}_);[Red](${digits})`;
}

function decimalsOf(decimal: string): number {
  const point = decimal.indexOf('.');
  return point === -1 ? 0 : decimal.length - point - 1;
}

/** The look of an amount with so many decimals. */
export function numberStyle(look: AmountLook, decimals: number): Style {
  let styles = numberStyles.get(look);
  if (!styles) {
    styles = [];
    numberStyles.set(look, styles);
  }
  styles[decimals] ??= { ...look, format: moneyFormat(decimals), align: 'right' };
  return styles[decimals];
}

function textStyle(look: AmountLook): Style {
  const style = textStyles.get(look) ?? { ...look, format: '@', align: 'right', fill: FLAG_FILL };
  textStyles.set(look, style);
  return style;
}

/**
 * The cell of an amount: a number, or flagged text where a spreadsheet's number could not hold every digit.
 *
 * @param decimal a plain decimal
 * @param formula the formula whose result it is; left out where the amount is text, because the formula could not give it
 */
export function amountCell(decimal: string, look: AmountLook, formula?: string): SheetCell {
  return cellOf(decimal, exactNumber(decimal), look, formula);
}

/** {@link amountCell} for an amount whose number is known already. */
export function cellOf(decimal: string, number: number | null, look: AmountLook, formula?: string): SheetCell {
  if (number === null) return { value: formatGrouped(parseAmount(decimal)), style: textStyle(look) };
  const value: CellValue = formula === undefined ? number : { formula, result: number };
  return { value, style: numberStyle(look, decimalsOf(decimal)) };
}

/** Whether an amount is shown as text, see {@link amountCell}. */
function isShownAsText(decimal: string): boolean {
  return exactNumber(decimal) === null;
}

/** What the ledger's units hold for certain; no formula adds up anything larger. */
const LARGEST = 9e14;
const UNIT_DECIMALS = 4;
/** So small an amount is a count of units below 2^44, and so many of them are gathered before they are moved on. */
const SMALL = 1e9;
const MOST_GATHERED = 2 ** 52;

/**
 * A running sum over a column, kept twice: exactly, and as a spreadsheet would add it up. A live formula may stand for a
 * figure only where both give it to the last digit.
 */
export class ColumnSum {
  /** In units; what a number holds exactly is gathered in one, which is quicker. */
  #exact: Units = 0n;
  #gathered = 0;
  #asSpreadsheet = 0;
  #addable = true;

  /** @param number the same amount as {@link exactNumber} gives it */
  add(decimal: string, number = exactNumber(decimal)): void {
    if (number === null || Math.abs(number) > LARGEST || !this.#addable) {
      this.#addable = false;
      return;
    }
    this.#asSpreadsheet += number;
    if (Math.abs(number) > SMALL || decimalsOf(decimal) > UNIT_DECIMALS) {
      this.#exact += parseUnits(decimal);
      return;
    }
    // Off by far less than half a unit, which is rounded away.
    this.#gathered += Math.round(number * 10 ** UNIT_DECIMALS);
    if (Math.abs(this.#gathered) < MOST_GATHERED) return;
    this.#exact += BigInt(this.#gathered);
    this.#gathered = 0;
  }

  /** The same for a count of ledger units, of a size that {@link exactNumber} always holds: below 1e15. */
  addCount(count: number): void {
    if (!this.#addable) return;
    this.#asSpreadsheet += count / 10 ** UNIT_DECIMALS;
    const gathered = this.#gathered + count;
    if (Number.isSafeInteger(gathered)) this.#gathered = gathered;
    else this.#exact += BigInt(count);
  }

  /** Whether the rows come to this figure and a rounded spreadsheet sum of them does so too. */
  gives(decimal: string): boolean {
    const expected = exactNumber(decimal);
    return (
      this.#addable &&
      expected !== null &&
      amountOfUnits(this.#exact + BigInt(this.#gathered)).eq(parseAmount(decimal)) &&
      Number(this.#asSpreadsheet.toFixed(decimalsOf(decimal))) === expected
    );
  }
}

/** A formula that gives the figure to the last digit: what a spreadsheet adds up is off by a hair, and rounded away. */
export function rounded(formula: string, decimal: string): string {
  return `ROUND(${formula},${decimalsOf(decimal)})`;
}

/** The cell of a figure reckoned from other cells; live unless one of those is text. */
export function derivedCell(decimal: string, inputs: readonly string[], formula: string, look: AmountLook): SheetCell {
  return amountCell(decimal, look, inputs.some(isShownAsText) ? undefined : rounded(formula, decimal));
}

import { formatGrouped, parseAmount } from '../../money/decimal.ts';
import { amountOfUnits, parseUnits, type Units } from '../../money/units.ts';
import type { SheetCell, Style } from './model.ts';
import { exactNumber, exactNumberOfUnits } from './values.ts';

/** How an amount looks, apart from its number format: as a total, or as a plain cell. */
export type AmountLook = Omit<Style, 'format' | 'align'>;

/** The background of an amount that is text, because no number could hold it. */
const FLAG_FILL = 'FFE699';

/** The styles made so far, by the decimals of a number, null for text: exceljs converts each style object once. */
const madeStyles = new WeakMap<AmountLook, Map<number | null, Style>>();

/** A number format with so many decimals; negative amounts are red, in parentheses, and aligned with positive ones. */
function moneyFormat(decimals: number): string {
  const digits = decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}`;
  return `${digits}_);[Red](${digits})`;
}

/** The number of decimals of an amount; for the ledger's units (1/10,000) two to four, as `formatUnits` writes them. */
function decimalsOf(amount: string | Units): number {
  if (typeof amount === 'string') {
    const point = amount.indexOf('.');
    return point === -1 ? 0 : amount.length - point - 1;
  }
  if (amount % 100n === 0n) return 2;
  return amount % 10n === 0n ? 3 : 4;
}

/**
 * The cell of an amount: a number, or flagged text if a spreadsheet's number could not hold every digit.
 *
 * @param decimal a plain decimal
 * @param formula the formula whose result it is; left out if the amount is text, because the formula could not give it
 */
export function amountCell(decimal: string, look: AmountLook, formula?: string): SheetCell {
  const number = exactNumber(decimal);
  const style = amountCellStyle(look, decimal, number);
  if (number === null) return { value: groupedText(decimal), style };
  return { value: formula === undefined ? number : { formula, result: number }, style };
}

/** The style of an amount: a plain decimal, or the ledger's units. @param number the amount's {@link numberOf} */
export function amountCellStyle(look: AmountLook, amount: string | Units, number: number | null): Style {
  const decimals = number === null ? null : decimalsOf(amount);
  const styles = madeStyles.get(look) ?? new Map<number | null, Style>();
  const made = styles.get(decimals);
  if (made) return made;
  const style: Style =
    decimals === null
      ? { ...look, format: '@', align: 'right', fill: FLAG_FILL }
      : { ...look, format: moneyFormat(decimals), align: 'right' };
  madeStyles.set(look, styles.set(decimals, style));
  return style;
}

/** The number that a spreadsheet holds for an amount; null when it cannot hold every digit. */
export function numberOf(amount: string | Units): number | null {
  return typeof amount === 'bigint' ? exactNumberOfUnits(amount) : exactNumber(amount);
}

/** An amount as text, its thousands grouped. */
export function groupedText(amount: string | Units): string {
  return formatGrouped(typeof amount === 'bigint' ? amountOfUnits(amount) : parseAmount(amount));
}

/** The ledger's range, in the currency's unit; no formula adds up anything larger. */
const LARGEST = 9e14;

/**
 * A running sum over a column, kept twice: exactly, and as a spreadsheet would add it up. A live formula may take the
 * place of a figure only if both sums give it to the last digit.
 */
export class ColumnSum {
  #exact: Units = 0n;
  #asSpreadsheet = 0;
  #isAddable = true;

  /** @param number the amount's {@link numberOf} */
  add(amount: string | Units, number = numberOf(amount)): void {
    if (number === null || Math.abs(number) > LARGEST) {
      this.#isAddable = false;
      return;
    }
    this.#asSpreadsheet += number;
    this.#exact += typeof amount === 'bigint' ? amount : parseUnits(amount);
  }

  /** Whether both the exact sum and the rounded sum of a spreadsheet are this figure. */
  gives(decimal: string): boolean {
    const expected = exactNumber(decimal);
    return (
      this.#isAddable &&
      expected !== null &&
      amountOfUnits(this.#exact).eq(parseAmount(decimal)) &&
      Number(this.#asSpreadsheet.toFixed(decimalsOf(decimal))) === expected
    );
  }
}

/** Rounds a formula to the figure's decimals: a spreadsheet's sum of decimals has a tiny error. */
export function rounded(formula: string, decimal: string): string {
  return `ROUND(${formula},${decimalsOf(decimal)})`;
}

/** The cell of a figure computed from other cells: a live formula, unless one of those cells is text. */
export function derivedCell(decimal: string, inputs: readonly string[], formula: string, look: AmountLook): SheetCell {
  const hasText = inputs.some((input) => exactNumber(input) === null);
  return amountCell(decimal, look, hasText ? undefined : rounded(formula, decimal));
}

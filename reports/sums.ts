import type { ExactDecimal } from '../src/money/decimal.ts';
import { eachField, MONEY_FIELDS, type MoneyField, ORDER_MONEY_FIELDS } from '../src/money/fields.ts';
import { formatAmount } from '../src/money/format.ts';
import { Totals } from '../src/money/sum.ts';
import { formatUnits, type Units } from '../src/money/units.ts';
import type { Column, Row } from './model.ts';

export const MONEY_COLUMNS = MONEY_FIELDS.map((name): Column => ({ name, type: 'money' }));

export const ROW_SUM_COLUMNS = ORDER_MONEY_FIELDS.map((field): Column => ({ name: `order_${field}`, type: 'money' }));

/** An invoice's amounts as cells. */
export function moneyCells(amounts: Readonly<Record<MoneyField, ExactDecimal>>): Record<MoneyField, string> {
  return eachField(MONEY_FIELDS, (field) => formatAmount(amounts[field]));
}

/** By how much nets are stated otherwise than as COD less fees: a return, or a net that does not follow from its invoice. */
export function statedOtherwise(amounts: Readonly<Record<MoneyField, ExactDecimal>>): ExactDecimal {
  const { cod, delivery_fee, net_due_to_merchant } = amounts;
  return net_due_to_merchant.minus(cod).plus(delivery_fee);
}

/** How many rows are added as the ledger's integers before decimal.js adds their sum. */
const ROWS = 500;

/** The totals of a report's money columns, by currency, added up while its rows are read. */
export class ColumnTotals<F extends string> {
  readonly #names: readonly F[];
  readonly #columns: Map<F, Totals>;
  /** The sums of the last rows, by currency, in the order of the columns. */
  readonly #last = new Map<string, Units[]>();
  #lastRows = 0;

  /** @param columns the names of the money columns */
  constructor(...columns: F[]) {
    this.#names = columns;
    this.#columns = new Map(columns.map((column) => [column, new Totals()]));
  }

  /**
   * Adds a row's amounts; a row without a currency has none.
   *
   * @throws SumRangeError when a total is beyond the ledger's range
   */
  add(currency: string | null, amounts: Readonly<Record<F, Units | ExactDecimal>>): void {
    if (currency === null) return;
    for (const [column, totals] of this.#columns) totals.add(currency, amounts[column]);
  }

  /**
   * Adds one of very many rows: the ledger's integers are exact too, and adding them takes a tenth of the time. An amount that is not
   * there adds nothing.
   *
   * @throws SumRangeError when a total is beyond the ledger's range, at the latest with the last row
   */
  addRow(currency: string | null, amounts: Readonly<Record<F, Units | null>>): void {
    if (currency === null) return;
    const sums = this.#last.get(currency) ?? Array.from(this.#columns, () => 0n);
    this.#last.set(currency, sums);
    this.#names.forEach((name, at) => {
      sums[at] = sums[at]! + (amounts[name] ?? 0n);
    });
    this.#lastRows += 1;
    if (this.#lastRows === ROWS) this.addLast();
  }

  /** Adds up the last rows; for those who read rows alone. @throws SumRangeError when a total is beyond the ledger's range */
  addLast(): void {
    for (const [currency, sums] of this.#last) {
      let at = 0;
      for (const totals of this.#columns.values()) {
        totals.add(currency, sums[at]!);
        at += 1;
      }
    }
    this.#last.clear();
    this.#lastRows = 0;
  }

  /** One row a currency, in alphabetical order. */
  rows(): Row[] {
    this.addLast();
    const currencies = [...this.#columns.values()][0]?.currencies() ?? [];
    return currencies.map((currency) => ({
      currency,
      ...Object.fromEntries([...this.#columns].map(([name, totals]) => [name, formatUnits(totals.unitsOf(currency))])),
    }));
  }
}

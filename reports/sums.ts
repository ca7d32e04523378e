import { type ExactDecimal, formatAmount } from '../src/money/decimal.ts';
import { eachField, MONEY_FIELDS, type MoneyField, ROW_SUM_FIELDS } from '../src/money/fields.ts';
import { Totals } from '../src/money/sum.ts';
import { formatUnits, type Units } from '../src/money/units.ts';
import type { Column, Row } from './model.ts';

export const MONEY_COLUMNS = MONEY_FIELDS.map((name): Column => ({ name, type: 'money' }));

/** The sums of an invoice's rows. */
export const ROW_SUM_COLUMNS = ROW_SUM_FIELDS.map((name): Column => ({ name, type: 'money' }));

/** A row of the columns' cells, in the order of the columns. */
export function rowIn(columns: readonly Column[], cells: Row): Row {
  return Object.fromEntries(columns.map(({ name }) => [name, cells[name] ?? null]));
}

/** An amount as a cell, which is empty if it is not known. */
export function unitsCell(units: Units | null): string | null {
  return units === null ? null : formatUnits(units);
}

/** An invoice's amounts as cells. */
export function moneyCells(amounts: Readonly<Record<MoneyField, ExactDecimal>>): Record<MoneyField, string> {
  return eachField(MONEY_FIELDS, (field) => formatAmount(amounts[field]));
}

/** The stated net minus (COD - fee): not zero for returns, and for a net that does not follow from its invoice. */
export function netBeyondCodLessFee(amounts: Readonly<Record<MoneyField, ExactDecimal>>): ExactDecimal {
  const { cod, delivery_fee, net_due_to_merchant } = amounts;
  return net_due_to_merchant.minus(cod).plus(delivery_fee);
}

/** How many rows are added up as integers before decimal.js adds their sum. */
const PENDING_ROWS = 500;

/** The totals of a report's money columns, by currency, added up while its rows are read. */
export class ColumnTotals<F extends string> {
  readonly #names: readonly F[];
  readonly #columns: Map<F, Totals>;
  /** The sums of the rows that the totals do not have yet, by currency, in the order of the columns. */
  readonly #pending = new Map<string, Units[]>();
  #pendingRows = 0;

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
   * Adds one of very many rows, ten times faster: its amounts are integers, which are first added to each other. An
   * amount that is null adds nothing.
   *
   * @throws SumRangeError when a total is beyond the ledger's range, at the latest with the last row
   */
  addRow(currency: string | null, amounts: Readonly<Record<F, Units | null>>): void {
    if (currency === null) return;
    const sums = this.#pending.get(currency) ?? Array.from(this.#columns, () => 0n);
    this.#pending.set(currency, sums);
    this.#names.forEach((name, index) => {
      sums[index] = sums[index]! + (amounts[name] ?? 0n);
    });
    this.#pendingRows += 1;
    if (this.#pendingRows === PENDING_ROWS) this.addPending();
  }

  /**
   * Adds what {@link addRow} kept: call it after the last row, so that a sum that is too large fails there.
   *
   * @throws SumRangeError when a total is beyond the ledger's range
   */
  addPending(): void {
    for (const [currency, sums] of this.#pending) {
      for (const [index, name] of this.#names.entries()) this.#columns.get(name)!.add(currency, sums[index]!);
    }
    this.#pending.clear();
    this.#pendingRows = 0;
  }

  /** One row per currency, in alphabetical order. */
  rows(): Row[] {
    this.addPending();
    const currencies = [...this.#columns.values()][0]?.currencies() ?? [];
    return currencies.map((currency) => ({
      currency,
      ...Object.fromEntries([...this.#columns].map(([name, totals]) => [name, formatUnits(totals.unitsOf(currency))])),
    }));
  }
}

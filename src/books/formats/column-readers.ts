import { quoted } from '../../text.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { amountStyle, readAmountText } from './amount-text.ts';
import { type Column, type Value, valueAt } from './columns.ts';
import { readCurrency } from './currency-code.ts';
import { type CurrencyText, mayMean } from './currency-text.ts';
import { dateReader } from './date-text.ts';
import { FileFault } from './fault.ts';
import type { TableRow } from './table.ts';

/** Reads the dates of some columns, all in one way. */
export function dateColumns(
  rows: readonly TableRow[],
  columns: readonly (Column | null)[],
  map: ColumnMap,
): (value: Value) => string {
  const texts = function* (): Generator<Value> {
    for (const column of columns) {
      if (column === null) continue;
      for (const row of rows) {
        const value = valueAt(row, column);
        if (value.kind === 'text' && value.text !== '') yield value;
      }
    }
  };
  const read = dateReader(texts(), map.date);
  return (value) => (value.kind === 'date' ? value.text.slice(0, 10) : read(value));
}

/** Reads the amounts of some columns, all in one style. */
export function amountColumns(
  rows: readonly TableRow[],
  columns: readonly (Column | null)[],
  map: ColumnMap,
): (value: Value) => { amount: string; currency: CurrencyText } {
  const texts = function* (): Generator<Value> {
    for (const column of columns) {
      if (column === null) continue;
      for (const row of rows) {
        const value = valueAt(row, column);
        if (value.kind === 'text' && value.text !== '') yield value;
      }
    }
  };
  const style = amountStyle(texts(), map);
  return (value) => {
    if (value.kind === 'number') return { amount: value.text, currency: null };
    if (value.kind === 'date') {
      throw new FileFault(
        `the cell is a date (${value.text})`,
        'Format it as a number, or name another column in the map.',
        value,
      );
    }
    return readAmountText(value.text, style, value);
  };
}

/**
 * The currency of an amount: what its column or the map says, and what stands beside the amount, which must agree.
 *
 * @param stated of the row's currency column, else of the map; null where neither says
 * @throws FileFault when nothing says it, or two things do differently
 */
export function currencyOf(stated: string | null, beside: CurrencyText, amount: Value): string {
  const said = stated === null ? null : readCurrency(stated, { line: amount.line, column: 'currency' });
  if (beside === null) {
    if (said !== null) return said;
    throw new FileFault(
      `nothing says which currency ${quoted(amount.text)} is in`,
      'Give the currency a column, or name it in a map: currency = "USD".',
      amount,
      { currency: 'USD' },
    );
  }
  if ('code' in beside) {
    if (said === null || said === beside.code) return beside.code;
    throw new FileFault(
      `${quoted(amount.text)} is in ${beside.code} where ${said} is stated`,
      'Correct one of them.',
      amount,
    );
  }
  if (said !== null && mayMean(beside.shared, said)) return said;
  throw new FileFault(
    said === null
      ? `${quoted(amount.text)} does not say whose ${beside.shared} it is in`
      : `${quoted(amount.text)} is in ${beside.shared} where ${said} is stated`,
    'Give the currency a column, or name it in a map: currency = "USD".',
    amount,
    said === null ? { currency: 'USD' } : null,
  );
}

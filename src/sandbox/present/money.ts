import type { MoneyField } from '../../api/wire.ts';

/** A row of money: a currency, and the columns of units as text (null: no pair in that list). */
type MoneyRow<Column extends string> = { currency: string } & Record<Column, string | null>;

/** A money field of the wire from one column of money rows, in their order. */
export function moneyField<Column extends string>(rows: readonly MoneyRow<Column>[], column: Column): MoneyField {
  const pairs: MoneyField = [];
  for (const row of rows) {
    const units: string | null = row[column];
    if (units !== null) pairs.push([row.currency, formatUnits(units)]);
  }
  return pairs;
}

/**
 * Units as plain decimal text: two decimals, more only where the amount holds more. On the digits themselves, as
 * `formatAmount` of `money/` would write them, because an invoice of a thousand rows writes thousands of amounts.
 */
export function formatUnits(units: string | bigint): string {
  const text = String(units);
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.slice(sign.length).padStart(5, '0');
  const decimals = digits.slice(-4);
  const shown = decimals.endsWith('00') ? 2 : decimals.endsWith('0') ? 3 : 4;
  return `${sign}${digits.slice(0, -4)}.${decimals.slice(0, shown)}`;
}

import type { MoneyField } from '../../api/wire.ts';
import { amountOfUnits, formatAmount } from '../../money/index.ts';

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

/** Units as plain decimal text: two decimals, more only where the amount holds more. */
export function formatUnits(units: string | bigint): string {
  return formatAmount(amountOfUnits(units));
}

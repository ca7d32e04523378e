import type { MoneyPairs } from '../../api/wire.ts';
import { formatUnits } from '../../money/units.ts';

/** A currency with columns of units as text; null if a field has no pair in this currency. */
type MoneyRow<Column extends string> = { currency: string } & Record<Column, string | null>;

/** One column of money rows as a money field of the API. */
export function moneyField<Column extends string>(rows: readonly MoneyRow<Column>[], column: Column): MoneyPairs {
  return rows.flatMap((row): MoneyPairs => {
    const units: string | null = row[column];
    return units === null ? [] : [[row.currency, formatUnits(BigInt(units))]];
  });
}

/** The SQL that reads money columns as decimal text of units. */
export function unitsTexts(columns: readonly string[]): string {
  return columns.map((column) => `cast(${column} as text) as ${column}`).join(', ');
}

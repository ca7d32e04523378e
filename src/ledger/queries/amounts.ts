/** Money columns as readers hand them on. */

import { ExactDecimal } from '../../money/decimal.ts';
import { MONEY_FIELDS } from '../../money/fields.ts';
import { formatAmount } from '../../money/format.ts';
import { amountOfUnits } from '../../money/units.ts';

/** Money by currency and field, as plain decimal text. */
export type AmountsText = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function amountsOf(rows: readonly ({ currency: string } & Record<string, unknown>)[]): AmountsText {
  const fields = (row: Record<string, unknown>) => MONEY_FIELDS.filter((field) => typeof row[field] === 'string');
  return Object.fromEntries(
    rows.map((row) => [
      row.currency,
      Object.fromEntries(fields(row).map((field) => [field, formatAmount(amountOfUnits(row[field] as string))])),
    ]),
  );
}

/** A money column of an outer join: null is zero. */
export function amountOrZero(units: string | null): ExactDecimal {
  return units === null ? new ExactDecimal(0) : amountOfUnits(units);
}

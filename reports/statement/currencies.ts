import type { Row } from '../model.ts';
import type { Statement } from './model.ts';

/** The currencies that have a column on the Summary and on the page that people sign, by name. */
export function summaryCurrencies(
  statement: Pick<Statement, 'totals' | 'balance' | 'settled' | 'proof' | 'mismatches'>,
): string[] {
  const { totals, balance, settled, proof, mismatches } = statement;
  const currencies = [
    ...totals.currencies.map(({ currency }) => currency),
    ...balance.map(({ currency }) => currency),
    ...settled.keys(),
    ...proof.map(({ currency }) => currency),
    ...mismatches.flatMap(({ effect }) => [...effect.keys()]),
  ];
  return [...new Set(currencies)].sort();
}

/**
 * {@link summaryCurrencies}, and those found only on a sheet, so that a statement split by currency leaves nothing out.
 *
 * @param recordCurrencies those of the order records on the sheet Orders
 */
export function allCurrencies(statement: Statement, recordCurrencies: readonly string[]): string[] {
  const { vanished, resolved, orders: _, ...reports } = statement.tables;
  const rows = [...Object.values(reports).flatMap((report) => report.rows as readonly Row[]), ...vanished, ...resolved];
  const currencies = rows.flatMap(({ currency }) => (typeof currency === 'string' ? [currency] : []));
  return [...new Set([...summaryCurrencies(statement), ...recordCurrencies, ...currencies])].sort();
}

import { currenciesOf } from '../balance.ts';
import type { Row } from '../model.ts';
import type { Statement } from './model.ts';

/** Every currency that the Summary has a column for. */
export function summedCurrencies({
  totals,
  balance,
  settled,
  proof,
  mismatches,
}: Pick<Statement, 'totals' | 'balance' | 'settled' | 'proof' | 'mismatches'>): string[] {
  const named = [
    ...totals.currencies.map(({ currency }) => currency),
    ...currenciesOf(balance),
    ...settled.keys(),
    ...proof.map(({ currency }) => currency),
    ...mismatches.flatMap(({ effect }) => [...effect.keys()]),
  ];
  return [...new Set(named)].sort();
}

/**
 * The same with those that only a sheet holds, such as a balance of an earlier month: split by these, nothing is left out.
 *
 * @param ofRecords those of the records beside the rows of Orders, which are read while they are written
 */
export function currenciesIn(statement: Statement, ofRecords: readonly string[]): string[] {
  const { rollForward, invoices, vanished, mismatches, resolved, receipts, ageing, notInvoiced, changes, journal } =
    statement.tables;
  const held = [rollForward, invoices, mismatches, receipts, ageing, notInvoiced, changes, journal];
  const rows = [...held.flatMap((report) => report.rows as readonly Row[]), ...vanished, ...resolved];
  const named = rows.flatMap(({ currency }) => (typeof currency === 'string' ? [currency] : []));
  return [...new Set([...summedCurrencies(statement), ...ofRecords, ...named])].sort();
}

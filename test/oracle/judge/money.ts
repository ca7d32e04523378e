import type { Money } from '../history/read.ts';

export const of = (money: Money | undefined | null, currency: string): bigint => money?.get(currency) ?? 0n;

export const currenciesIn = (...fields: readonly (Money | undefined | null)[]): string[] =>
  [...new Set(fields.flatMap((money) => [...(money?.keys() ?? [])]))].sort();

export function sumOf(fields: readonly Money[]): Money {
  const sum = new Map<string, bigint>();
  for (const money of fields) for (const [currency, size] of money) sum.set(currency, (sum.get(currency) ?? 0n) + size);
  return sum;
}

/** Currencies in which any row has cod or a fee that is not zero. */
export function atStake(rows: readonly { readonly cod: Money; readonly delivery_fee: Money }[]): string[] {
  const fields = rows.flatMap((row) => [row.cod, row.delivery_fee]);
  return currenciesIn(...fields).filter((currency) => fields.some((money) => of(money, currency) !== 0n));
}

export const netOf = (
  rows: readonly { readonly cod: Money; readonly delivery_fee: Money }[],
  currency: string,
): bigint => rows.reduce((sum, row) => sum + of(row.cod, currency) - of(row.delivery_fee, currency), 0n);

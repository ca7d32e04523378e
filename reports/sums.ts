import { type ExactDecimal, formatAmount, MONEY_FIELDS, type MoneyField, Totals } from '../src/money/index.ts';
import type { Row } from './model.ts';

/** An invoice's amounts as cells. */
export function moneyCells(amounts: Readonly<Record<MoneyField, ExactDecimal>>): Record<MoneyField, string> {
  return Object.fromEntries(MONEY_FIELDS.map((field) => [field, formatAmount(amounts[field])])) as Record<
    MoneyField,
    string
  >;
}

/** Adds up money columns per currency while a report's rows stream by. */
export class CurrencySums<F extends string> {
  readonly #totals: Map<F, Totals>;

  constructor(...fields: F[]) {
    this.#totals = new Map(fields.map((field) => [field, new Totals()]));
  }

  add(currency: string | null, amounts: Readonly<Record<F, ExactDecimal>>): void {
    if (currency === null) return;
    for (const [field, totals] of this.#totals) totals.add(currency, amounts[field]);
  }

  /** One row a currency, in alphabetical order. */
  rows(): Row[] {
    const currencies = [...this.#totals.values()][0]?.currencies() ?? [];
    return currencies.map((currency) => ({
      currency,
      ...Object.fromEntries([...this.#totals].map(([field, totals]) => [field, formatAmount(totals.of(currency))])),
    }));
  }
}

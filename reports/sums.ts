import {
  amountOfUnits,
  CountSum,
  type ExactDecimal,
  formatAmount,
  MONEY_FIELDS,
  type MoneyField,
  Totals,
} from '../src/money/index.ts';
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

/** So many lines are added up as integers before decimal.js adds their sum. */
const PAGE = 1_000;

/** The same for long tables, in ledger units: a page of lines reaches the decimals as one exact sum of integers. */
export class CountSums<F extends string> {
  readonly #fields: readonly F[];
  readonly #sums: CurrencySums<F>;
  readonly #page = new Map<string, readonly CountSum[]>();
  #lines = 0;

  constructor(...fields: F[]) {
    this.#fields = fields;
    this.#sums = new CurrencySums(...fields);
  }

  /** @param counts in the order of the fields, from a place on; null counts nothing */
  add(currency: string | null, counts: readonly unknown[], from = 0): void {
    if (currency === null) return;
    let sums = this.#page.get(currency);
    if (!sums) {
      sums = this.#fields.map(() => new CountSum());
      this.#page.set(currency, sums);
    }
    for (let at = 0; at < sums.length; at += 1) {
      const count = counts[from + at];
      if (typeof count === 'number' || typeof count === 'bigint') sums[at]!.add(count);
    }
    this.#lines += 1;
    if (this.#lines === PAGE) this.#endPage();
  }

  /** One row a currency, in alphabetical order. */
  rows(): Row[] {
    this.#endPage();
    return this.#sums.rows();
  }

  #endPage(): void {
    for (const [currency, sums] of this.#page) {
      const amounts = this.#fields.map((field, at) => [field, amountOfUnits(sums[at]!.units)]);
      this.#sums.add(currency, Object.fromEntries(amounts) as Record<F, ExactDecimal>);
    }
    this.#page.clear();
    this.#lines = 0;
  }
}

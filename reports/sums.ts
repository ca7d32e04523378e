import {
  amountOfUnits,
  type ExactDecimal,
  formatAmount,
  MONEY_FIELDS,
  type MoneyField,
  Totals,
  type Units,
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
export class PagedSums<F extends string> {
  readonly #fields: readonly F[];
  readonly #sums: CurrencySums<F>;
  readonly #page = new Map<string, Record<F, Units>>();
  #lines = 0;

  constructor(...fields: F[]) {
    this.#fields = fields;
    this.#sums = new CurrencySums(...fields);
  }

  add(currency: string | null, figures: Readonly<Record<F, Units>>): void {
    if (currency === null) return;
    const sum = this.#page.get(currency);
    if (sum) for (const field of this.#fields) sum[field] += figures[field];
    else this.#page.set(currency, { ...figures });
    this.#lines += 1;
    if (this.#lines === PAGE) this.#endPage();
  }

  /** One row a currency, in alphabetical order. */
  rows(): Row[] {
    this.#endPage();
    return this.#sums.rows();
  }

  #endPage(): void {
    for (const [currency, sum] of this.#page) {
      const amounts = Object.fromEntries(this.#fields.map((field) => [field, amountOfUnits(sum[field])]));
      this.#sums.add(currency, amounts as Record<F, ExactDecimal>);
    }
    this.#page.clear();
    this.#lines = 0;
  }
}

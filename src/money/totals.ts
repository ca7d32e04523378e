import { parseCurrency } from './currency.ts';
import { ExactDecimal } from './decimal.ts';
import type { Money } from './money.ts';
import { parseAmount } from './money.ts';

/**
 * One exact running total for each currency that was ever added. A currency that was not added counts as zero; totals
 * of different currencies are never combined.
 */
export class Totals {
  readonly #amounts = new Map<string, ExactDecimal>();

  /** Adds up a money field as it stands on the wire: pairs of currency code and amount. A currency that stands twice adds up; an empty list is zero. */
  static ofPairs(pairs: Iterable<readonly string[]>): Totals {
    const totals = new Totals();
    for (const [currency = '', amount = ''] of pairs) totals.add(parseCurrency(currency), parseAmount(amount));
    return totals;
  }

  add(currency: string, amount: ExactDecimal): this {
    this.#amounts.set(currency, this.of(currency).plus(amount));
    return this;
  }

  addMoney(value: Money): this {
    return this.add(value.currency, value.amount);
  }

  /** The total of a currency; zero where nothing was added. */
  of(currency: string): ExactDecimal {
    return this.#amounts.get(currency) ?? new ExactDecimal(0);
  }

  /** The currencies that were added, in alphabetical order. */
  currencies(): string[] {
    return [...this.#amounts.keys()].sort();
  }

  /** One money value for each currency, in alphabetical order. */
  toMoney(): Money[] {
    return this.currencies().map((currency) => ({ currency, amount: this.of(currency) }));
  }
}

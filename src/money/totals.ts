import { add } from './add.ts';
import { ExactDecimal } from './decimal.ts';
import { amountOfUnits, type Money, type Units, unitsOfAmount } from './units.ts';

const ZERO = new ExactDecimal(0);

/** One exact running total a currency. A currency that was never added has a total of zero. */
export class Totals {
  readonly #totals = new Map<string, Money>();

  /**
   * Adds an amount to the total of its currency.
   *
   * @param amount in ledger units, or as a decimal of the currency's own unit
   * @throws SumRangeError when the total is beyond the ledger's range
   */
  add(currency: string, amount: Units | ExactDecimal): this {
    const total = this.#totals.get(currency) ?? { currency, amount: ZERO };
    const added = typeof amount === 'bigint' ? amountOfUnits(amount) : amount;
    this.#totals.set(currency, added.isZero() ? total : add(total, { currency, amount: added }));
    return this;
  }

  /** The total of a currency, as a decimal of its own unit. */
  of(currency: string): ExactDecimal {
    return this.#totals.get(currency)?.amount ?? ZERO;
  }

  /** The total of a currency, in ledger units. @throws MoneyError when it has more than four decimals */
  unitsOf(currency: string): Units {
    return unitsOfAmount(this.of(currency));
  }

  /** The currencies that were added, in alphabetical order. */
  currencies(): string[] {
    return [...this.#totals.keys()].sort();
  }
}

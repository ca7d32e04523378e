import { MoneyError } from '../base/errors.ts';
import { moneyError, type Summed } from '../words/errors/money.ts';
import { type ExactDecimal, ZERO } from './decimal.ts';
import { amountOfUnits, isInRange, LARGEST, MAX_AMOUNT, type Money, type Units, unitsOfAmount } from './units.ts';

/** A sum is beyond the ledger's range. */
export class SumRangeError extends MoneyError {
  /** @param summed what was added. @param command the command that shows the amounts */
  constructor(summed: Summed, command = 'remit report orders', options?: ErrorOptions) {
    super(moneyError({ id: 'sum-beyond-range', ...summed, command, most: MAX_AMOUNT }), options);
  }
}

/**
 * `a + b`: the project's one adder, by decimal.js.
 *
 * @throws MoneyError when the currencies differ; SumRangeError when the sum is beyond the ledger's range
 */
export function add<C extends string>(a: Money<C>, b: Money<NoInfer<C>>): Money<C> {
  if (a.currency !== b.currency) {
    throw new MoneyError(moneyError({ id: 'currencies-differ', first: a.currency, second: b.currency }));
  }
  const amount = a.amount.plus(b.amount);
  // `e` is the power of ten: a smaller one is within the range, and needs no comparison.
  if (amount.e >= LARGEST.e && amount.abs().greaterThan(LARGEST)) throw new SumRangeError({ currency: a.currency });
  return { currency: a.currency, amount };
}

/**
 * `a - b`.
 *
 * @throws MoneyError when the currencies differ; SumRangeError when the difference is beyond the ledger's range
 */
export function subtract<C extends string>(a: Money<C>, b: Money<NoInfer<C>>): Money<C> {
  return add(a, { currency: b.currency, amount: b.amount.negated() });
}

/**
 * Reads a sum that the database made, in ledger units.
 *
 * @param sum as SQL casts it to text; null, the sum of no rows, is zero
 * @throws SumRangeError when it is beyond the ledger's range
 */
export function readSum(sum: string | null, currency: string | null): Units {
  return requireRange(BigInt(sum ?? 0), currency);
}

/** Returns units if the ledger can hold them. @throws SumRangeError when they are beyond its range */
export function requireRange(units: Units, currency: string | null): Units {
  if (!isInRange(units)) throw new SumRangeError({ currency });
  return units;
}

/** One exact running total per currency. A currency that was never added has a total of zero. */
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

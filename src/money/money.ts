import { parseCurrency } from './currency.ts';
import type { ExactDecimal } from './decimal.ts';
import { amountOfUnits, parseUnits } from './units.ts';

/**
 * An exact amount in one currency, in the currency's own unit. The currency is part of the type, so that adding `Money<'USD'>` to
 * `Money<'LBP'>` does not compile; where the currency is known only at run time (`Money<string>`) `add` and `subtract` check it.
 */
export interface Money<C extends string = string> {
  readonly currency: C;
  readonly amount: ExactDecimal;
}

/**
 * Reads a currency code and a plain decimal, as the wire pairs them (spec, 'Common conventions').
 *
 * @throws MoneyError when the code is no currency's, or the ledger cannot hold the amount exactly
 */
export function money<C extends string>(currency: C, amount: string): Money<C> {
  return { currency: parseCurrency(currency) as C, amount: amountOfUnits(parseUnits(amount)) };
}

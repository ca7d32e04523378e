import { MoneyError } from '../errors.ts';
import { parseCurrency } from './currency.ts';
import { ExactDecimal, MAX_AMOUNT_LENGTH } from './decimal.ts';

/**
 * An exact amount in one currency. The currency is part of the type, so that adding `Money<'USD'>` to `Money<'LBP'>`
 * does not compile; where the currency is known only at run time (`Money<string>`) every operation checks it.
 */
export interface Money<C extends string = string> {
  readonly currency: C;
  readonly amount: ExactDecimal;
}

const PLAIN_DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/** Whether a text is a plain decimal: an optional minus, digits, optionally a point and digits. No exponent, no sign `+`, no spaces. */
export function isPlainDecimal(text: string): boolean {
  return text.length <= MAX_AMOUNT_LENGTH && PLAIN_DECIMAL.test(text);
}

/**
 * Reads a plain decimal amount such as `-12.50`, exactly. `-0.00` becomes `0`.
 *
 * @throws MoneyError when the text is not a plain decimal (`12.3x`, `1e5`, `0x1f`, `NaN`, ` 1`, `.5`, an empty text)
 */
export function parseAmount(text: string): ExactDecimal {
  if (!isPlainDecimal(text)) {
    throw new MoneyError(
      `${JSON.stringify(text.slice(0, 80))} is not a decimal amount`,
      'An amount is written as digits with an optional minus and an optional decimal point, such as -12.50.',
    );
  }
  const amount = new ExactDecimal(text);
  return amount.isZero() ? new ExactDecimal(0) : amount;
}

/**
 * Makes money of a currency code and a plain decimal text.
 *
 * @throws MoneyError when either cannot be read
 */
export function money<C extends string>(currency: C, amount: string): Money<C> {
  return { currency: parseCurrency(currency) as C, amount: parseAmount(amount) };
}

/** Nothing, in a currency. */
export function zero<C extends string>(currency: C): Money<C> {
  return money(currency, '0');
}

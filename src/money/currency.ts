import { MoneyError } from '../errors.ts';

const CURRENCY = /^[A-Za-z][A-Za-z0-9]{1,9}$/;

/**
 * Reads a currency code. The spec has seen three letters (USD, LBP) and promises no more, so two to ten letters and
 * digits are taken; case is folded to upper, because `usd` and `USD` are one currency to every accountant.
 *
 * @throws MoneyError when the text is no code
 */
export function parseCurrency(text: string): string {
  if (!CURRENCY.test(text)) {
    throw new MoneyError(
      `${JSON.stringify(text.slice(0, 40))} is not a currency code`,
      'A currency code is two to ten letters or digits, such as USD or LBP.',
    );
  }
  return text.toUpperCase();
}

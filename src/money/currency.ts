import { MoneyError } from '../base/errors.ts';
import { because } from '../words/errors/money.ts';

const CURRENCY = /^[A-Za-z][A-Za-z0-9]{1,9}$/;

/**
 * Reads a currency code and folds it to upper case: `usd` and `USD` are one currency to every accountant.
 * The spec promises no list of codes, so two to ten letters and digits are accepted (spec, 'Common conventions').
 *
 * @throws MoneyError when the text is not a code
 */
export function parseCurrency(text: string): string {
  if (!CURRENCY.test(text)) {
    throw new MoneyError(because({ id: 'no-currency', code: text.slice(0, 40) }));
  }
  return text.toUpperCase();
}

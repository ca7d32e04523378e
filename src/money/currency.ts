import { MoneyError } from '../base/errors.ts';
import { because } from '../words/errors/money.ts';
import type { Units } from './units.ts';

const CURRENCY = /^[A-Za-z][A-Za-z0-9]{1,9}$/;

/**
 * Reads a currency code and folds it to upper case: `usd` and `USD` are one currency to every accountant.
 * The spec promises no list of codes, so that two to ten letters and digits are taken (spec, 'Common conventions').
 *
 * @throws MoneyError when the text is not a code
 */
export function parseCurrency(text: string): string {
  if (!CURRENCY.test(text)) {
    throw new MoneyError(because({ id: 'no-currency', code: text.slice(0, 40) }));
  }
  return text.toUpperCase();
}

/** The smallest coin of a currency: one cent of a dollar, one pound of Lebanon. Of a currency without a known one, 0.01. */
export function smallestCoin(currency: string): Units {
  return 10n ** BigInt(4 - Math.min(decimalsOf(currency), 4));
}

function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** `above / below` to the nearest whole coins, half away from zero; `below` is not zero. */
export function inWholeCoins(coin: Units, above: bigint, below: bigint): Units {
  const isNegative = above < 0n !== below < 0n;
  const [size, parts] = [above < 0n ? -above : above, (below < 0n ? -below : below) * coin];
  const coins = (2n * size + parts) / (2n * parts);
  return (isNegative ? -coins : coins) * coin;
}

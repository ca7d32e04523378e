import { Decimal } from 'decimal.js';
import { MoneyError } from '../base/errors.ts';
import { moneyError } from '../words/errors/money.ts';

/**
 * The project's one decimal.js constructor: for amounts as people read them, and for shares and rates. 100 digits hold
 * every sum and difference of amounts in the ledger's range (`MAX_AMOUNT`) exactly.
 * `toExpNeg` and `toExpPos` keep `String()` from printing an exponent.
 */
export const ExactDecimal = Decimal.clone({ precision: 100, toExpNeg: -200, toExpPos: 200, defaults: true });

/** An exact decimal number, in the currency's own unit: `12.5` is 12.50 USD where the currency is USD. */
export type ExactDecimal = Decimal;

export const ZERO: ExactDecimal = new ExactDecimal(0);

const MAX_AMOUNT_LENGTH = 64;

const PLAIN_DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?$/;

/**
 * Whether a text is a plain decimal of at most 64 characters: an optional minus, digits, and optionally a point and
 * digits. No exponent, no plus sign, no spaces, no thousands separator (spec, 'Common conventions').
 */
export function isPlainDecimal(text: string): boolean {
  return text.length <= MAX_AMOUNT_LENGTH && PLAIN_DECIMAL.test(text);
}

/** @throws MoneyError when the text is not a plain decimal */
export function requirePlainDecimal(text: string): void {
  if (isPlainDecimal(text)) return;
  throw new MoneyError(moneyError({ id: 'no-decimal', amount: text.slice(0, 80) }));
}

/**
 * Reads a plain decimal such as `-12.50` exactly, with any number of decimals. `-0.00` becomes `0`.
 *
 * @throws MoneyError when the text is not a plain decimal (`12.3x`, `1e5`, `0x1f`, `NaN`, ` 1`, `.5`, an empty text)
 */
export function parseAmount(text: string): ExactDecimal {
  requirePlainDecimal(text);
  const amount = new ExactDecimal(text);
  return amount.isZero() ? ZERO : amount;
}

/** An amount as a plain decimal with two decimals, or more if it has more: `1200` → `1200.00`, `0.125` → `0.125`. */
export function formatAmount(amount: ExactDecimal): string {
  return (amount.isZero() ? ZERO : amount).toFixed(Math.max(2, amount.decimalPlaces()));
}

/** {@link formatAmount} with a comma between thousands, for people: `-1,234,567.50`. */
export function formatGrouped(amount: ExactDecimal): string {
  const [whole = '', decimals = ''] = formatAmount(amount).split('.');
  return `${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}.${decimals}`;
}

/** Amount and currency for a sentence: `1,234.50 USD`. */
export function formatMoney(money: { readonly currency: string; readonly amount: ExactDecimal }): string {
  return `${formatGrouped(money.amount)} ${money.currency}`;
}

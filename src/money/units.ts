import { MoneyError } from '../base/errors.ts';
import { moneyError } from '../words/errors/money.ts';
import { ExactDecimal, requirePlainDecimal, ZERO } from './decimal.ts';

/**
 * The ledger's integer form of an amount: a count of 1/10,000 of the currency's unit, within a signed 64-bit integer,
 * so that SQL adds, subtracts and compares exactly.
 */
export type Units = bigint;

const DECIMALS = 4;
export const MAX_UNITS = 2n ** 63n - 1n;

/** The amount without its sign. */
export function sizeOf(units: Units): Units {
  return units < 0n ? -units : units;
}

/** Whether the ledger can hold so many units. The range is symmetric: SQL's abs() and unary minus never overflow. */
export function isInRange(units: Units): boolean {
  return units <= MAX_UNITS && units >= -MAX_UNITS;
}

/** The largest amount that the ledger holds. */
export const LARGEST = new ExactDecimal('922337203685477.5807');

/** {@link LARGEST} as messages say it. */
export const MAX_AMOUNT = '922,337,203,685,477.5807';

/**
 * Reads a plain decimal such as `-12.50` into ledger units, exactly.
 *
 * @throws MoneyError when the text is not a plain decimal, has more than four decimals that are not zero, or is beyond
 * the ledger's range
 */
export function parseUnits(text: string): Units {
  requirePlainDecimal(text);
  const point = text.indexOf('.');
  const whole = point === -1 ? text : text.slice(0, point);
  const decimals = point === -1 ? '' : text.slice(point + 1);
  const digits = decimals.length <= DECIMALS ? decimals : withoutTrailingZeros(decimals);
  const units = BigInt(whole + digits.padEnd(DECIMALS, '0'));
  if (digits.length <= DECIMALS && isInRange(units)) return units;
  throw new MoneyError(moneyError({ id: 'beyond-range', amount: text.slice(0, 80), most: MAX_AMOUNT }));
}

/** A loop, because a pattern such as /0+$/ takes quadratic time over many zeros that end in another digit. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * Ledger units as a plain decimal with at least two decimals: `12500n` → `1.25`, `12345n` → `1.2345`.
 *
 * @param units a bigint, or its decimal text as SQL casts it
 */
export function formatUnits(units: Units | string): string {
  const text = String(units);
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.slice(sign.length).padStart(DECIMALS + 1, '0');
  const point = digits.length - DECIMALS;
  // Of the four decimals at least two stay.
  return `${sign}${digits.slice(0, point)}.${digits.slice(point).replace(/0{1,2}$/, '')}`;
}

/**
 * The amount of a count of ledger units, in the currency's own unit.
 *
 * @param units a bigint, or its decimal text as SQL casts it
 */
export function amountOfUnits(units: Units | string): ExactDecimal {
  return units === 0n || units === '0' ? ZERO : new ExactDecimal(formatUnits(units));
}

/** An amount in ledger units. @throws MoneyError when it has more than four decimals or is beyond the ledger's range */
export function unitsOfAmount(amount: ExactDecimal): Units {
  return parseUnits(amount.toFixed());
}

/**
 * An exact amount in one currency, in the currency's own unit. The currency is part of the type, so that adding
 * `Money<'USD'>` to `Money<'LBP'>` does not compile; where the currency is known only at run time (`Money<string>`)
 * `add` and `subtract` check it.
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

/** The smallest coin of a currency, in units: a cent of a dollar, one Lebanese pound; 0.01 for an unknown currency. */
export function smallestCoin(currency: string): Units {
  return 10n ** BigInt(DECIMALS - Math.min(decimalsOf(currency), DECIMALS));
}

function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** `numerator / denominator` (not zero) in units, rounded to whole coins of `coin` units; halves away from zero. */
export function inWholeCoins(coin: Units, numerator: bigint, denominator: bigint): Units {
  const isNegative = numerator < 0n !== denominator < 0n;
  const dividend = sizeOf(numerator);
  const divisor = sizeOf(denominator) * coin;
  // Half a coin is added before the remainder is dropped.
  const coins = (2n * dividend + divisor) / (2n * divisor);
  return (isNegative ? -coins : coins) * coin;
}

const CURRENCY = /^[A-Za-z][A-Za-z0-9]{1,9}$/;

/**
 * Reads a currency code and folds it to upper case: `usd` and `USD` are one currency to every accountant.
 * The spec promises no list of codes, so two to ten letters and digits are accepted (spec, 'Common conventions').
 *
 * @throws MoneyError when the text is not a code
 */
export function parseCurrency(text: string): string {
  const code = currencyCode(text);
  if (code !== null) return code;
  throw new MoneyError(moneyError({ id: 'no-currency', code: text.slice(0, 40) }));
}

/** As {@link parseCurrency}; null for a text that is no code. */
export function currencyCode(text: string): string | null {
  return CURRENCY.test(text) ? text.toUpperCase() : null;
}

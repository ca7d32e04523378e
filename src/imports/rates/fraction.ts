import { MoneyError } from '../../base/errors.ts';
import { because } from '../../words/errors/money.ts';

/** An exact number: rates are divided and compared as fractions, never as floats. `below` is positive. */
export interface Fraction {
  readonly above: bigint;
  readonly below: bigint;
}

const DECIMAL = /^(\d{1,30})(?:\.(\d{1,30}))?$/;

/**
 * Reads a plain decimal, such as `89500` or `0.0000112`.
 *
 * @throws MoneyError when it is none
 */
export function parseFraction(text: string): Fraction {
  const [, whole, decimals = ''] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) {
    throw new MoneyError(because({ id: 'no-rate', rate: text.slice(0, 40) }));
  }
  return { above: BigInt(whole + decimals), below: 10n ** BigInt(decimals.length) };
}

/**
 * Reads a rate of exchange: a plain decimal above zero.
 *
 * @throws MoneyError when it is none
 */
export function parseRate(text: string): Fraction {
  const rate = parseFraction(text);
  if (rate.above > 0n) return rate;
  throw new MoneyError(because({ id: 'rate-of-zero' }));
}

/** `1 / a`; `a` is not zero. */
export function inverse({ above, below }: Fraction): Fraction {
  return { above: below, below: above };
}

/** Negative, zero or positive as `a` is less than, equal to or more than `b`. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const left = a.above * b.below;
  const right = b.above * a.below;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A fraction for people: a plain decimal with the given number of significant digits, the last rounded half up, without trailing zeros. */
export function sayFraction({ above, below }: Fraction, digits = 8): string {
  if (above === 0n) return '0';
  let decimals = 0n;
  // Enough decimals for the digits asked for, however small the number is.
  while ((above * 10n ** decimals) / below < 10n ** BigInt(digits - 1) && decimals < 60n) decimals += 1n;
  const rounded = (2n * above * 10n ** decimals + below) / (2n * below);
  if (decimals === 0n) return String(rounded);
  const text = String(rounded).padStart(Number(decimals) + 1, '0');
  const point = text.length - Number(decimals);
  return `${text.slice(0, point)}.${text.slice(point)}`.replace(/\.?0+$/, '');
}

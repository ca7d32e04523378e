import { MoneyError } from '../errors.ts';
import { ExactDecimal } from './decimal.ts';
import { formatAmount } from './format.ts';
import { parseAmount } from './money.ts';

/**
 * The ledger's integer form of an amount: a count of 1/10,000 of the currency's unit, within a signed 64-bit integer,
 * so that SQL adds, subtracts and compares exactly.
 */
export type Units = bigint;

const DECIMALS = 4;
const LEDGER_MAX = 2n ** 63n - 1n;
/** Symmetric, so that SQL's abs() and unary minus never overflow. */
const LEDGER_MIN = -LEDGER_MAX;

function outOfRange(text: string): MoneyError {
  return new MoneyError(
    `${JSON.stringify(text.slice(0, 80))} is beyond what the ledger can hold exactly`,
    'The ledger holds amounts of up to 922,337,203,685,477.5807 with at most four decimals; ask the delivery company to correct this one.',
  );
}

/**
 * Reads a plain decimal text into ledger units without passing through a float.
 *
 * @throws MoneyError when the text is no plain decimal, has more than four decimals that are not zero, or is beyond the ledger's range
 */
export function parseUnits(text: string): Units {
  if (!SMALL_DECIMAL.test(text)) return parseLargeUnits(text);
  // The common case: at most 11 whole digits, so that the count of units stays far below 2^53 and integer arithmetic is exact.
  const point = text.indexOf('.');
  if (point === -1) return BigInt(Number(text) * 10_000);
  const decimals = text.length - point - 1;
  return BigInt(Number(text.slice(0, point) + text.slice(point + 1)) * (SCALE[decimals] as number));
}

const SMALL_DECIMAL = /^-?[0-9]{1,11}(?:\.[0-9]{1,4})?$/;
const SCALE = [10_000, 1_000, 100, 10, 1];

function parseLargeUnits(text: string): Units {
  parseAmount(text);
  const point = text.indexOf('.');
  // Zeros at the end, however many, add nothing: `1.00000` is exactly 1.
  const decimals = point === -1 ? '' : withoutTrailingZeros(text.slice(point + 1));
  if (decimals.length > DECIMALS) throw outOfRange(text);
  const units = BigInt((point === -1 ? text : text.slice(0, point)) + decimals.padEnd(DECIMALS, '0'));
  if (units > LEDGER_MAX || units < LEDGER_MIN) throw outOfRange(text);
  return units;
}

/** Walks back from the end: a pattern such as /0+$/ takes quadratic time over a text of zeros that ends in another digit. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * `a + b` within the ledger's range.
 *
 * @throws MoneyError when the sum is beyond it
 */
export function addUnits(a: Units, b: Units): Units {
  const sum = a + b;
  if (sum > LEDGER_MAX || sum < LEDGER_MIN) throw outOfRange(amountOfUnits(sum).toFixed());
  return sum;
}

/** A count of ledger units as a plain decimal with at least two decimals, as `formatAmount` writes its amount: without making one. */
export function formatUnits(units: Units): string {
  const count = Number(units);
  if (!Number.isSafeInteger(count)) return formatAmount(amountOfUnits(units));
  const magnitude = Math.abs(count);
  const parts = magnitude % SCALE[0]!;
  const whole = `${count < 0 ? '-' : ''}${(magnitude - parts) / SCALE[0]!}.`;
  if (parts % 100 === 0) return whole + (parts < 1_000 ? '0' : '') + parts / 100;
  const digits = String(parts).padStart(DECIMALS, '0');
  return whole + (parts % 10 === 0 ? digits.slice(0, -1) : digits);
}

/** Amounts that were made before. A price list has few prices: most amounts of a long table stand in it again and again. */
const known = new Map<string, ExactDecimal>();
const MOST_KNOWN = 20_000;

/**
 * The exact amount of a count of ledger units.
 *
 * @param units a bigint, or its decimal text as SQL casts it
 */
export function amountOfUnits(units: Units | string): ExactDecimal {
  const text = String(units);
  const before = known.get(text);
  if (before) return before;
  const amount = new ExactDecimal(`${text}e-${DECIMALS}`);
  const made = amount.isZero() ? new ExactDecimal(0) : amount;
  if (known.size < MOST_KNOWN) known.set(text, made);
  return made;
}

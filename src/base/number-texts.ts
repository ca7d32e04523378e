import { cleanText } from './text.ts';

/** What both sides call the payouts of a courier whose numbers are no integers (`ES-902`), by the integer that the ledger has for each. */
export type NumberTexts = ReadonlyMap<number, string>;

/** The greatest length of a payout's number inside a sentence, in characters. */
const LONGEST = 60;

/**
 * What is said of a courier's payouts, with the number that both sides know in the place of each integer: a sentence, or what holds some.
 * No other number is as large as these integers.
 */
export function inNumberTexts<T>(said: T, texts: NumberTexts): T {
  return texts.size === 0 ? said : (named(said, texts) as T);
}

function named(value: unknown, texts: NumberTexts): unknown {
  if (typeof value === 'number') {
    const text = texts.get(value);
    return text === undefined ? value : cleanText(text, LONGEST).trim();
  }
  if (Array.isArray(value)) return value.map((one) => named(one, texts));
  // Amounts and instants are objects of their own.
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, named(one, texts)]));
}

/** The same of a list of numbers, or of `invoice 900000001`, as a cell has them. */
export function textInNumberTexts(text: string, texts: NumberTexts): string {
  return texts.size === 0 ? text : text.replace(/\b9\d{8}\b/g, (digits) => texts.get(Number(digits)) ?? digits);
}

/** The number of an invoice as both sides know it, beside its integer in JSON; null where there is none. */
export function numberText(number: number | null, texts: NumberTexts): string | null {
  return number === null ? null : (texts.get(number) ?? String(number));
}

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

// No amount: one has decimals or groups.
const INTEGERS = /(?<![\d.,])9\d{8}(?!\d|[.,]\d)/g;

/** The same of a list of numbers, of `invoice 900000001` as a cell has it, or of a reason that is kept in words. */
export function textInNumberTexts(text: string, texts: NumberTexts): string {
  return texts.size === 0 ? text : text.replace(INTEGERS, (digits) => texts.get(Number(digits)) ?? digits);
}

export function namesPayout(said: object): boolean {
  return JSON.stringify(said).search(INTEGERS) >= 0;
}

/** A record as people read it: what stands beside its integers as `invoice_number_text` stands in their place. */
export function recordInNumberTexts(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isText = (name: string) => name.endsWith('_text') && name.slice(0, -'_text'.length) in record;
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      isText(name) ? [] : [[name, value === null ? null : (record[`${name}_text`] ?? value)]],
    ),
  );
}

/** The number of an invoice as both sides know it, beside its integer in JSON; null where there is none. */
export function numberText(number: number, texts: NumberTexts): string;
export function numberText(number: number | null, texts: NumberTexts): string | null;
export function numberText(number: number | null, texts: NumberTexts): string | null {
  return number === null ? null : (texts.get(number) ?? String(number));
}

const INTEGER = /^[1-9]\d{0,14}$/;

/** Whether what somebody types can only be the number of an invoice: no payout that is called by a text is called so. */
export function isPlainNumber(typed: string): boolean {
  return INTEGER.test(typed) && typed.search(INTEGERS) < 0;
}

/** The way back, of what somebody types: the integer of the payout that is called so, else of the invoice of that number; null for no number. */
export function numberNamed(typed: string, texts: NumberTexts): number | null {
  const name = typed.trim().toLowerCase();
  for (const [number, text] of texts) if (text.toLowerCase() === name) return number;
  return INTEGER.test(name) ? Number(name) : null;
}

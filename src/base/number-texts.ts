import { cleanText } from './text.ts';

/**
 * A courier may number its payouts `ES-902`, where the ledger needs an integer: each such payout is given a stand-in,
 * 900000001 for the first. People read and type the courier's number, never the stand-in. No other number in a sentence
 * or record is as large.
 */
export const FIRST_STAND_IN = 900_000_001;
export const LAST_STAND_IN = 999_999_999;

/** The courier's number (`ES-902`) by its stand-in. */
export type NumberTexts = ReadonlyMap<number, string>;

/** A stand-in within a text. `900000001.50` is none: a number with decimals or thousands commas is an amount. */
const STAND_INS = /(?<![\d.,])9\d{8}(?!\d|[.,]\d)/g;

/** So many characters of a payout's number are shown inside a sentence. */
const MOST_CHARACTERS = 60;

/** A sentence, a record, or an array or object of them, with the courier's numbers in place of stand-ins. */
export function inNumberTexts<T>(value: T, texts: NumberTexts): T {
  return texts.size === 0 ? value : (withoutStandIns(value, texts) as T);
}

function withoutStandIns(value: unknown, texts: NumberTexts): unknown {
  if (typeof value === 'number') {
    const text = texts.get(value);
    return text === undefined ? value : cleanText(text, MOST_CHARACTERS).trim();
  }
  if (Array.isArray(value)) return value.map((member) => withoutStandIns(member, texts));
  // Amounts and instants are instances of classes: they hold no stand-in.
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withoutStandIns(field, texts)]));
}

/** A text, such as a cell `invoice 900000001` or a stored reason, with the courier's numbers in place of stand-ins. */
export function textInNumberTexts(text: string, texts: NumberTexts): string {
  return texts.size === 0 ? text : text.replace(STAND_INS, (digits) => texts.get(Number(digits)) ?? digits);
}

export function holdsStandIn(record: object): boolean {
  return JSON.stringify(record).search(STAND_INS) >= 0;
}

/** A record as people read it: `invoice_number_text` takes the place of `invoice_number`. */
export function recordInNumberTexts(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isTextOfNumber = (name: string) => name.endsWith('_text') && name.slice(0, -'_text'.length) in record;
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      isTextOfNumber(name) ? [] : [[name, value === null ? null : (record[`${name}_text`] ?? value)]],
    ),
  );
}

/** The number of an invoice as people read it: the courier's `ES-902`, else the integer itself; null for no invoice. */
export function numberText(number: number, texts: NumberTexts): string;
export function numberText(number: number | null, texts: NumberTexts): string | null;
export function numberText(number: number | null, texts: NumberTexts): string | null {
  return number === null ? null : (texts.get(number) ?? String(number));
}

const INTEGER = /^[1-9]\d{0,14}$/;

/** Whether a typed text is an integer and no stand-in: it can only be an invoice's number. */
export function isPlainNumber(typed: string): boolean {
  return INTEGER.test(typed) && typed.search(STAND_INS) < 0;
}

/** The ledger's number of a typed invoice: 900000001 for `ES-902`, 10009 for `10009`, null for any other text. */
export function numberNamed(typed: string, texts: NumberTexts): number | null {
  const name = typed.trim().toLowerCase();
  for (const [number, text] of texts) if (text.toLowerCase() === name) return number;
  return INTEGER.test(name) ? Number(name) : null;
}

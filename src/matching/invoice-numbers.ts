/** Numbers of invoices that a text names. */
export interface NamedNumbers {
  /** Clearly meant as invoices: after `#`, `INV-` or `No.`, in a list with such a one, alone in the text, or of four digits and more. */
  readonly strong: readonly number[];
  /** Possibly: a short bare number, a year, a part of a grouped amount. They count only where the sum tallies. */
  readonly weak: readonly number[];
}

/** A text without any of these names no invoice: a digit, or a character that may be one. */
const DIGIT_LIKE = /[\d\u0080-\uffff]/;
const MARKS = /[\p{Cf}\u0640]/gu;
const ARABIC_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g;
const DATES = /(?<!\d)(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})(?!\d)/g;
const DECIMALS = /(?<![\d])\d[\d,]*\.\d{1,2}(?![\d])/g;
const GROUPED = /(?<!\d|\d,)\d{1,3}(?:,\d{3})+(?!\d|,\d)/g;
/** A number that is no part of a longer one, nor of a word; `INV10009` is the exception that the prefix allows. */
const NUMBER = /(?<!\d)\d{1,15}(?![\p{L}\d])/gu;
const PREFIX = /(?:#|№|(?<!\p{L})(?:inv(?:oices?)?|nos?|nr|numbers?|n[°º]|factures?|فاتورة|فواتير|رقم))[\s.:#°º_-]*$/iu;
const LONGEST_PREFIX = 40;
const WORD_BEFORE = /\p{L}$/u;
const BETWEEN = /^(?:[\s,;+&/|.\u060C#-]|and|et|و)+$/iu;
const YEAR = /^(?:19|20)\d\d$/;

/**
 * Finds the invoice numbers in a receipt's text: alone or several, with any separators, in Western or Arabic digits.
 * Only whole numbers count, never a part of a longer run of digits, of a date, or of an amount with decimals; leading
 * zeros make another number.
 *
 * @param known the numbers that are invoices
 */
export function namedNumbers(text: string, known: (number: number) => boolean): NamedNumbers {
  if (!DIGIT_LIKE.test(text)) return { strong: [], weak: [] };
  const plain = westernDigits(text);
  const grouped = spans(plain, GROUPED);
  const strong = new Set<number>();
  const weak = new Set<number>();
  const onlyNumbers = plain.replace(NUMBER, ' ').replace(BETWEEN, '') === '';
  let end = -1;
  let listed = false;
  for (const found of plain.matchAll(NUMBER)) {
    const before = plain.slice(Math.max(0, found.index - LONGEST_PREFIX), found.index);
    const prefixed = PREFIX.test(before);
    const between = end < 0 ? '' : plain.slice(end, found.index);
    listed = prefixed || (listed && BETWEEN.test(between));
    end = found.index + found[0].length;
    if (!prefixed && WORD_BEFORE.test(before)) continue;
    const digits = found[0];
    if (digits.startsWith('0') || !known(Number(digits))) continue;
    const sure = listed || onlyNumbers || (digits.length >= 4 && !YEAR.test(digits));
    (sure && !grouped.some(([from, to]) => found.index >= from && found.index < to) ? strong : weak).add(
      Number(digits),
    );
  }
  for (const number of strong) weak.delete(number);
  return { strong: [...strong].sort((a, b) => a - b), weak: [...weak].sort((a, b) => a - b) };
}

function westernDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(MARKS, '')
    .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(DATES, (date) => ' '.repeat(date.length))
    .replace(DECIMALS, (amount) => ' '.repeat(amount.length));
}

function spans(text: string, pattern: RegExp): [from: number, to: number][] {
  return [...text.matchAll(pattern)].map((found) => [found.index, found.index + found[0].length]);
}

/** The invoice numbers in a receipt's text: what a bank statement or cash book says about a payment. */
export interface NamedNumbers {
  /**
   * Clearly invoices: after `#`, `INV-` or `payout`, in a list after one, alone in the text, or of four digits and up.
   */
  readonly strong: readonly number[];
  /**
   * Possibly meant as invoices: a short number, a year, a part of `1,234`. They count only if what is outstanding of
   * those invoices adds up to the receipt.
   */
  readonly weak: readonly number[];
}

/** A digit, or a character that may be one in another script: a text without any names no invoice. */
const DIGIT_LIKE = /[\d\u0080-\uffff]/;
/** Invisible characters, and the stroke that lengthens an Arabic word. */
const MARKS = /[\p{Cf}\u0640]/gu;
const ARABIC_DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g;
const ARABIC_POINT = /\u066B/g;
const ARABIC_THOUSANDS = /\u066C/g;
const MONTH = '(?:0?[1-9]|1[0-2])';
const MONTH_NAME = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const YEAR = '(?:19|20)\\d\\d';
/** `2026-10-09`, `9/10/2026`, `9 Oct 2026`, `2026-10`, `10/2026`. */
const DATES = new RegExp(
  `(?<!\\d)(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}|\\d{1,2}[ ./-]?${MONTH_NAME}[ ./-]*${YEAR}|${YEAR}[-/.]${MONTH}|${MONTH}[-/.]${YEAR})(?!\\d)`,
  'gi',
);
/** `1,234.50`, `10009.500` (of a currency with three decimals), `1.234,50`. */
const DECIMALS = /(?<!\d)(?:\d{1,3}(?:\.\d{3})+,\d{1,2}|\d[\d,]*\.\d{1,3})(?!\d)/g;
/** `10009,50`, `10009,500`: an amount, or in an announced list (`Invoices 41,42`) two numbers. */
const COMMA_DECIMALS = /(?<!\d|\d,)(?:\d+,\d{1,2}|\d{4,},\d{3})(?!\d|,\d)/g;
/** `1,234`: an amount, or two numbers. */
const GROUPED = /(?<!\d|\d,)\d{1,3}(?:,\d{3})+(?!\d|,\d)/g;
/** A number that is not part of a longer one, and with no letter after it; one before it is allowed, for `INV10009`. */
const NUMBER = /(?<!\d)\d{1,15}(?![\p{L}\d])/gu;
/**
 * A text that ends with a word or sign that announces a number: `#`, `INV-`, `Invoice no.`, `رقم`, also after an Arabic
 * article or particle: `الفاتورة`, `وللفاتورة`. NFKC has made `No` of `№`.
 */
const PREFIX =
  /(?:#|(?<!\p{L})(?:inv(?:oices?)?|nos?|nr|numbers?|n°|factures?|[وف]?(?:لل|[بلك]?(?:ال)?)(?:فاتورة|فواتير|رقم)))[\s.:#°_-]*$/iu;
/** A text that ends with a word for payouts. A number after it may be a day if it is short: `payout 31 October`. */
const PAYOUT = /(?<!\p{L})(?:payouts?|(?:ال)?دفع(?:ة|ات))[\s.:_-]*$/iu;
const LONGEST_PREFIX = 40;
const WORD_BEFORE = /\p{L}$/u;
/** A text between two numbers of one list: `, `, ` and `, ` / `. */
const BETWEEN = /^(?:[\s,;+&/|.\u060C#-]|and|et|و)+$/iu;
const ONLY_YEAR = new RegExp(`^${YEAR}$`);

/** Whether a number has the form of a year. */
export function isYear(number: number): boolean {
  return ONLY_YEAR.test(String(number));
}

/**
 * Finds the invoice numbers in a receipt's text: one or several, with any separators, in Western or Arabic digits. Only
 * whole numbers count, never a part of a longer run of digits, of a date, or of an amount with decimals; and none with
 * leading zeros. If all three are invoices, `INV-41, 42 of 2026` gives 41 and 42 as `strong`, 2026 as `weak`.
 *
 * @param isInvoice whether a number is an invoice's
 */
export function namedNumbers(text: string, isInvoice: (number: number) => boolean): NamedNumbers {
  if (!DIGIT_LIKE.test(text)) return { strong: [], weak: [] };
  const plain = numbersAlone(text);
  const isWithin = (found: readonly Span[], start: number) => found.some(([from, to]) => start >= from && start < to);
  const grouped = spans(plain, GROUPED);
  const commaDecimals = spans(plain, COMMA_DECIMALS);
  const strong = new Set<number>();
  const weak = new Set<number>();
  const onlyNumbers = plain.replace(NUMBER, ' ').replace(BETWEEN, '') === '';
  let previousEnd = -1;
  /** Whether the number is in a list after a prefix. */
  let isListed = false;
  for (const { index: start, 0: digits } of plain.matchAll(NUMBER)) {
    const before = plain.slice(Math.max(0, start - LONGEST_PREFIX), start);
    const isPrefixed = PREFIX.test(before) || (digits.length >= 4 && PAYOUT.test(before));
    const between = previousEnd < 0 ? '' : plain.slice(previousEnd, start);
    isListed = isPrefixed || (isListed && BETWEEN.test(between));
    previousEnd = start + digits.length;
    // `TRF10009` is a reference of its own, and no invoice.
    const isPartOfWord = !isPrefixed && WORD_BEFORE.test(before);
    const isPartOfAmount = !isListed && isWithin(commaDecimals, start);
    if (isPartOfWord || isPartOfAmount || digits.startsWith('0') || !isInvoice(Number(digits))) continue;
    const isLong = digits.length >= 4 && !ONLY_YEAR.test(digits);
    const isClear = (isListed || onlyNumbers || isLong) && !isWithin(grouped, start);
    const numbers = isClear ? strong : weak;
    numbers.add(Number(digits));
  }
  for (const number of strong) weak.delete(number);
  return { strong: [...strong].sort((a, b) => a - b), weak: [...weak].sort((a, b) => a - b) };
}

/** The text with Western digits, and with spaces instead of dates and amounts with decimals. */
function numbersAlone(text: string): string {
  return text
    .normalize('NFKC')
    .replace(MARKS, '')
    .replace(ARABIC_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(ARABIC_POINT, '.')
    .replace(ARABIC_THOUSANDS, ',')
    .replace(DATES, (date) => ' '.repeat(date.length))
    .replace(DECIMALS, (amount) => ' '.repeat(amount.length));
}

/** `to` is the place after the last character. */
type Span = readonly [from: number, to: number];

function spans(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length]);
}

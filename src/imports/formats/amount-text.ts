import { MoneyError } from '../../base/errors.ts';
import { formatUnits, MAX_AMOUNT, parseUnits } from '../../money/units.ts';
import { amountsError } from '../../words/errors/amounts.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { type CurrencyText, mayMean, readCurrencyText } from './currency-text.ts';
import { FileFault, type PlaceInFile, type TextInFile } from './fault.ts';
import { asciiFigure } from './text-forms.ts';

/** A dash, or several, in place of an amount. */
export const NO_AMOUNT = /^[-–—]+$/;

/** Whether a cell states no amount: it is blank, or has dashes alone. */
export function isBlankAmount(text: string): boolean {
  return text === '' || NO_AMOUNT.test(text);
}

/** How the amounts of a column, or of a whole file, are written. */
export interface AmountStyle {
  readonly decimal: '.' | ',';
  /** The thousands separator; null if any character but the decimal sign may be it. */
  readonly thousands: string | null;
}

/** An amount in parts. Which of its separators is the decimal sign is not decided yet. */
interface ScannedAmount {
  readonly isNegative: boolean;
  readonly currency: CurrencyText;
  /** Digits and separators. */
  readonly body: string;
  /** It had Arabic decimal or thousands signs, which have one meaning: `body` has `.` and `,` for them. */
  readonly hasArabicSigns: boolean;
}

/** Digits with at most one separator: the common case. */
const BARE = /^-?\d+(?:[.,]\d+)?$/;
const BODY = /\d(?:[\d.,'’ ]*\d)?/;

/**
 * Takes an amount apart: sign, currency, digits. Reads `(1,234.50)`, `- $220.00`, `'579,68 USD`, `12.50-`, `1,200.00
 * CR`, `د.ا. 12.500`, Arabic-Indic digits, and marks of direction before any of them.
 *
 * @returns null when the text is no amount
 */
function scanAmount(text: string): ScannedAmount | null {
  if (BARE.test(text)) {
    const isNegative = text.startsWith('-');
    return { isNegative, currency: null, body: isNegative ? text.slice(1) : text, hasArabicSigns: false };
  }
  const ascii = asciiFigure(text);
  // In a sheet, an apostrophe in front marks a cell as text.
  let figure = ascii.replace(/^['’]+/, '').trim();
  // Accountants write a debit in brackets.
  const bracketed = /^(.*?)\((.*)\)(.*)$/.exec(figure);
  if (bracketed) figure = bracketed.slice(1).join('').trim();
  const hasArabicSigns = /[٫٬]/.test(figure);
  if (hasArabicSigns) {
    // In an amount with Arabic signs, a Latin separator has no clear meaning.
    if (/[.,]\d|\d[.,]/.test(figure)) return null;
    figure = figure.replaceAll('٫', '.').replaceAll('٬', ',');
  }
  // The digits with their separators, and the texts before and after them.
  const found = BODY.exec(figure);
  if (!found) return null;
  let body = found[0];
  let before = figure.slice(0, found.index);
  // `.50` begins with its decimal sign.
  if (/(^|[-+$€£ ])[.,]$/.test(before)) {
    body = before.at(-1)! + body;
    before = before.slice(0, -1);
  }
  let after = figure.slice(found.index + found[0].length).trim();
  before = before.trim();
  const creditOrDebit = /^(.*?)\s*\b(CR|DR)\.?$/i.exec(after);
  if (creditOrDebit) after = creditOrDebit[1]!.trim();
  // A sign, brackets, or CR or DR says the direction. A text with two of these is no amount.
  const signs: string[] = `${before}\n${after}`.match(/[-+]/g) ?? [];
  if (bracketed) signs.push('-');
  if (creditOrDebit) signs.push(creditOrDebit[2]!.toUpperCase() === 'DR' ? '-' : '+');
  if (signs.length > 1) return null;
  // What remains before and after the digits must be the currency.
  const names = [before, after].map((part) => part.replace(/[-+]/, '').trim()).filter((part) => part !== '');
  const currencies = names.map(readCurrencyText);
  if (currencies.includes(null)) return null;
  const currency = onlyCurrency(currencies);
  return currency === undefined ? null : { isNegative: signs[0] === '-', currency, body, hasArabicSigns };
}

/** The currency that the texts around an amount name: `USD` for `$220.00 USD`. Undefined for two that contradict. */
function onlyCurrency(currencies: readonly CurrencyText[]): CurrencyText | undefined {
  const [first = null, second = null] = currencies;
  if (first === null || second === null) return first ?? second;
  const codes = [first, second].flatMap((named) => ('code' in named ? [named.code] : []));
  const signs = [first, second].flatMap((named) => ('shared' in named ? [named.shared] : []));
  const [code] = codes;
  if (code === undefined) return signs[0] === signs[1] ? first : undefined;
  const isAgreed = codes.every((other) => other === code) && signs.every((sign) => mayMean(sign, code));
  return isAgreed ? { code } : undefined;
}

/**
 * What one amount shows about its column's style: a style, nothing (`1200`), that it can be read in two ways, or that
 * it can be read in none.
 */
type Verdict = AmountStyle | 'any' | 'ambiguous' | 'malformed';

/** Decides by an amount's separators. `1,234` is ambiguous: 1234, or 1.234. */
function verdictOf(body: string): Verdict {
  const points = body.split('.').length - 1;
  const commas = body.split(',').length - 1;
  if (points === 0 && commas === 0) return isGroupedWell(body, null) ? 'any' : 'malformed';
  const fitting = (style: AmountStyle): Verdict => (plainDigits(body, style) === null ? 'malformed' : style);
  const last = body.lastIndexOf('.') > body.lastIndexOf(',') ? '.' : ',';
  const other = last === '.' ? ',' : '.';
  if (points > 0 && commas > 0) return fitting({ decimal: last, thousands: other });
  // A decimal sign comes once: one that is repeated groups thousands.
  if (points + commas > 1) return fitting({ decimal: other, thousands: last });
  const [whole = '', fraction = ''] = body.split(last);
  const couldGroup = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return couldGroup ? 'ambiguous' : fitting({ decimal: last, thousands: null });
}

/** Whether one separator parts groups of three digits, or as in India groups of two before the last three. */
function isGroupedWell(whole: string, thousands: string | null): boolean {
  const separators = new Set(whole.replace(/\d/g, ''));
  if (separators.size === 0) return true;
  if (separators.size > 1) return false;
  const [separator = ''] = separators;
  if (thousands !== null && separator !== thousands && !(thousands === "'" && separator === '’')) return false;
  const [first = '', ...others] = whole.split(separator);
  const last = others.pop() ?? '';
  if (!/^\d{1,3}$/.test(first) || !/^\d{3}$/.test(last)) return false;
  const haveDigits = (count: number) => others.every((group) => group.length === count);
  return haveDigits(3) || (first.length <= 2 && haveDigits(2));
}

/** Digits and separators as a plain decimal; null if they do not fit the style. */
function plainDigits(body: string, style: AmountStyle): string | null {
  const [whole = '', fraction, ...extra] = body.split(style.decimal);
  if (extra.length > 0 || !isGroupedWell(whole, style.thousands)) return null;
  if (fraction !== undefined && !/^\d+$/.test(fraction)) return null;
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

/**
 * Finds out how the amounts of a column or file are written: from the map, or from an amount that has both separators
 * (`1.234,50`), or one whose only separator cannot group thousands (`12,5`).
 *
 * @returns null when no amount shows a decimal sign
 * @throws FileFault at the first amount that can be read in two ways, or at the first that contradicts those before it;
 *   with the settings of a map that would decide it, such as `decimal`
 */
export function amountStyle(
  amounts: Iterable<TextInFile>,
  { decimal, thousands }: Pick<ColumnMap, 'decimal' | 'thousands'> = {},
): AmountStyle | null {
  if (decimal !== undefined || thousands !== undefined) {
    return { decimal: decimal ?? (thousands === '.' ? ',' : '.'), thousands: thousands ?? null };
  }
  let style: AmountStyle | null = null;
  let doubtful: TextInFile | null = null;
  for (const amount of amounts) {
    const scanned = scanAmount(amount.text);
    if (scanned === null || scanned.hasArabicSigns) continue;
    const verdict = verdictOf(scanned.body);
    if (verdict === 'ambiguous') doubtful ??= amount;
    if (typeof verdict === 'string') continue;
    if (style !== null && style.decimal !== verdict.decimal) {
      throw new FileFault(amountsError({ id: 'other-decimal-sign', amount: amount.text }), amount, { decimal: '.' });
    }
    // Only the decimal sign must be the same in all amounts: thousands may be separated in several ways.
    style ??= { decimal: verdict.decimal, thousands: null };
  }
  if (style === null && doubtful !== null) {
    const why = amountsError({ id: 'amount-in-two-ways', amount: doubtful.text });
    throw new FileFault(why, doubtful, { decimal: '.', thousands: ',' });
  }
  return style;
}

/**
 * Reads an amount as a plain decimal with its sign.
 *
 * @param style the style that {@link amountStyle} found for its column or file
 * @throws FileFault when the text is no amount, or is not written in that style
 */
export function readAmountText(text: string, style: AmountStyle | null, place: PlaceInFile) {
  const scanned = scanAmount(text);
  if (scanned === null) throw new FileFault(amountsError({ id: 'no-amount', amount: text }), place);
  const { body, isNegative, currency, hasArabicSigns } = scanned;
  const usualStyle: AmountStyle = { decimal: '.', thousands: hasArabicSigns ? ',' : null };
  const plain = plainDigits(body, hasArabicSigns ? usualStyle : (style ?? usualStyle));
  if (plain === null) {
    const why = amountsError({ id: 'amount-not-so-written', amount: text, decimal: style?.decimal ?? null });
    throw new FileFault(why, place);
  }
  return { amount: isNegative ? `-${plain}` : plain, currency };
}

/** Two decimals, no leading zeros, small enough for the ledger: already as the money module would print it. */
const USUAL = /^(?:-?[1-9]\d{0,10}\.\d\d|0\.\d\d|-0\.(?:[1-9]\d|0[1-9]))$/;

/**
 * A plain decimal in the form that the ledger stores: `12.5` becomes `12.50`.
 *
 * @throws FileFault when it has more than four decimals or is beyond the ledger's range
 */
export function exactAmount(plain: string, place: PlaceInFile): string {
  if (USUAL.test(plain)) return plain;
  try {
    return formatUnits(parseUnits(plain));
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    throw new FileFault(amountsError({ id: 'amount-beyond-range', amount: plain, most: MAX_AMOUNT }), place);
  }
}

import { sentenceText } from '../../base/text.ts';
import { parseAmount } from '../../money/decimal.ts';
import { formatUnits, type Units } from '../../money/units.ts';

/** The number of significant digits that a spreadsheet's number always holds. */
const EXACT_DIGITS = 15;
const MAX_TEXT = 32_767;
/** Text that every cell can hold as it is: most text. */
const PRINTABLE = /^[ -~]*$/;
const SHORT = 1_000;

/** Text that a cell can hold: no control characters, and at most 32,767 UTF-16 units, never cut within a character. */
export function workbookText(text: string): string {
  if (text.length <= SHORT && PRINTABLE.test(text)) return text;
  const clean = sentenceText(text).replace(/\r\n?/g, '\n');
  if (clean.length <= MAX_TEXT) return clean;
  return `${clean.slice(0, MAX_TEXT - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * The number that a spreadsheet holds for a plain decimal, or null if its 15 significant digits cannot hold it: such an
 * amount is written as text, because as a number it would silently be another amount.
 */
export function exactNumber(decimal: string): number | null {
  const number = Number(decimal);
  // At most 15 characters are at most 15 digits, which a number holds exactly.
  if (decimal.length <= EXACT_DIGITS) return number;
  if (significantDigits(decimal) > EXACT_DIGITS) return null;
  if (Math.abs(number) >= 1e21) return null;
  const point = decimal.indexOf('.');
  const back = number.toFixed(point === -1 ? 0 : decimal.length - point - 1);
  // For 15 digits the two are always equal; if they ever are not, the amount is written as text.
  return back === decimal || parseAmount(back).eq(parseAmount(decimal)) ? number : null;
}

/** Whole numbers without leading zeros, of at most 15 digits: a spreadsheet shows them as they are written. */
const WHOLE = /^(?:0|[1-9]\d{0,14})$/;

export function isWholeNumber(text: string): boolean {
  return WHOLE.test(text);
}

/** The largest amount in the ledger's units whose digits a spreadsheet's number can all hold. */
const MOST_UNITS = 10n ** BigInt(EXACT_DIGITS) - 1n;
/** The ledger's units in one whole unit of the currency. */
const UNITS_A_WHOLE = 10_000;

/**
 * {@link exactNumber} for the ledger's units. Both numbers of the division are exact, so the result is the number
 * nearest to the amount, as which its decimal would be read too.
 */
export function exactNumberOfUnits(units: Units): number | null {
  return units <= MOST_UNITS && units >= -MOST_UNITS ? Number(units) / UNITS_A_WHOLE : exactNumber(formatUnits(units));
}

/** How many digits there are without the zeros at both ends: 3 in 12.50, 2 in 12000. */
function significantDigits(decimal: string): number {
  return decimal.replace(/[-.]/g, '').replace(/^0+|0+$/g, '').length;
}

const DAY_MS = 86_400_000;
/** The day number that spreadsheets give to 1970-01-01. */
const UNIX_EPOCH = 25_569;

/** A time as a spreadsheet's number: days, and the fraction of a day. */
export function spreadsheetTime(time: Date): number {
  return UNIX_EPOCH + time.getTime() / DAY_MS;
}

/** `2026-10-31`, `2026-10-31 08:30`, `2026-10-31T08:30:15.25+03:00`: the date, the hour, the minute, the second. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?/;

/**
 * The wall-clock time of an ISO date or timestamp as it is written, without its offset and in no time zone, so that the
 * sheet shows the same day as the API's text. Null if the text is neither.
 */
export function wallTime(iso: string): Date | null {
  const cached = timesOfDates.get(iso);
  if (cached !== undefined) return cached;
  const time = readTime(iso);
  if (iso.length === DATE_LENGTH && timesOfDates.size < MOST_DATES) timesOfDates.set(iso, time);
  return time;
}

/** Dates that were read before; a month's table has few different ones. */
const timesOfDates = new Map<string, Date | null>();
const MOST_DATES = 1_000;
const DATE_LENGTH = 10;

function readTime(iso: string): Date | null {
  const match = TIMESTAMP.exec(iso);
  const day = match && dayOf(match[1]!);
  if (!match || !day) return null;
  const [hours, minutes, seconds] = [match[2], match[3], match[4]].map((digits) => Number(digits ?? 0));
  return new Date(day + ((hours! * 60 + minutes!) * 60 + seconds!) * 1_000);
}

/** Midnight of a date, in milliseconds (UTC); null if a spreadsheet has no such date. */
function dayOf(date: string): number | null {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const time = new Date(Date.UTC(year, month - 1, day));
  // Excel counts days from 1900; an impossible date such as 2026-02-30 would roll over to another day.
  const isDay = year >= 1901 && time.getUTCMonth() === month - 1 && time.getUTCDate() === day;
  return isDay ? time.getTime() : null;
}

const lettersOfColumns: string[] = [];

/** A column's letters: 0 is `A`, 26 is `AA`. */
export function columnLetters(index: number): string {
  lettersOfColumns[index] ??= spelled(index);
  return lettersOfColumns[index];
}

function spelled(index: number): string {
  const before = Math.floor(index / 26);
  return (before > 0 ? columnLetters(before - 1) : '') + String.fromCharCode(65 + (index % 26));
}

/** A stretch of rows, numbered from 1, from `first` to `last`; empty if `last` is before `first`. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/**
 * Where a table's rows are on its sheet. From the top: the head, the rows, a blank row and the totals, if there are
 * any; then a blank row, a heading and the rows below. Empty stretches are left out.
 */
export function stretchesOf(rows: number, totals: number, below: number): readonly Stretch[] {
  const tableRows = { first: 2, last: rows + 1 };
  const lastTotal = totals > 0 ? tableRows.last + 1 + totals : tableRows.last;
  const rowsBelow = { first: lastTotal + 3, last: lastTotal + 2 + below };
  return [tableRows, rowsBelow].filter(({ first, last }) => first <= last);
}

/** A range on a sheet as formulas of other sheets write it: `'Not invoiced'!$A$2:$A$9`. */
export function absoluteRange(sheet: string, column: number, { first, last }: Stretch): string {
  const letters = columnLetters(column);
  return `'${sheet}'!$${letters}$${first}:$${letters}$${last}`;
}

export function formulaText(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** A sum over a column, by its letters. */
export interface SumOf {
  readonly letters: string;
  /** Other columns of the row must be equal to a text, or with `<>` different from it. */
  readonly where: readonly { readonly letters: string; readonly sign: '=' | '<>'; readonly text: string }[];
}

/** The formula of a sum over all rows, also those that a filter hides. */
export function sumOfAll(stretch: Stretch, { letters, where }: SumOf): string {
  const values = rangeOf(letters, stretch);
  if (where.length === 0) return `SUM(${values})`;
  const conditions = where.map(
    ({ letters: at, sign, text }) => `${rangeOf(at, stretch)},${formulaText(sign === '=' ? text : sign + text)}`,
  );
  return `SUMIFS(${[values, ...conditions].join(',')})`;
}

/**
 * The formula of a sum over rows that no filter hides. SUBTOTAL alone knows these, and takes no conditions: so it gives
 * each row's value, 0 if the row is hidden, and SUMPRODUCT multiplies that by 1 or 0 for each condition.
 */
export function sumOfShown(stretch: Stretch, { letters, where }: SumOf): string {
  const values = rangeOf(letters, stretch);
  if (where.length === 0) return `SUBTOTAL(109,${values})`;
  const top = `${letters}$${stretch.first}`;
  const conditions = where.map(
    ({ letters: at, sign, text }) => `--(${rangeOf(at, stretch)}${sign}${formulaText(text)})`,
  );
  return `SUMPRODUCT(SUBTOTAL(109,OFFSET(${top},ROW(${values})-${stretch.first},0)),${conditions.join(',')})`;
}

function rangeOf(letters: string, { first, last }: Stretch): string {
  return `${letters}$${first}:${letters}$${last}`;
}

import { isoDay } from './calendar.ts';
import type { Cell } from './table.ts';

/** Built-in number formats that are dates or times; the rest are in the workbook's own list. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);
const EAST_ASIAN_DATES: readonly [number, number][] = [
  [27, 36],
  [50, 58],
];

/** Digits that a spreadsheet's floats keep; what has more has been changed by the spreadsheet already. */
const MOST_DIGITS = 15;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const DAY_MS = 86_400_000;

/** Whether a number format shows a date: it has a day, month, year or hour outside quotes, escapes and brackets. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) {
    return DATE_FORMATS.has(id) || EAST_ASIAN_DATES.some(([first, last]) => id >= first && id <= last);
  }
  const bare = (code.split(';')[0] ?? '').replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  return !/^general$/i.test(bare.trim()) && /[dmyhs]/i.test(bare.replace(/e[+-]0+/gi, ''));
}

/**
 * A number of a sheet as a plain decimal. A sheet's numbers are floats, and Excel writes 4.1 as `4.0999999999999996`: up to 15
 * digits are taken as they stand, a longer text as the shortest decimal of that float. One that needs more than 15 digits is a
 * fault: the figure that was meant is no longer in the file.
 */
export function numberCell(text: string): Cell {
  const trimmed = text.trim();
  if (!NUMBER.test(trimmed))
    return { kind: 'fault', text: `holds ${JSON.stringify(trimmed.slice(0, 40))} as a number` };
  if (/^-?\d+(?:\.\d+)?$/.test(trimmed) && digitsOf(trimmed) <= MOST_DIGITS) return { kind: 'number', text: trimmed };
  const shortest = plainOf(Number(trimmed));
  if (shortest === null || digitsOf(shortest) > MOST_DIGITS) {
    return {
      kind: 'fault',
      text: `holds ${trimmed.slice(0, 40)}, more digits than a spreadsheet keeps exactly`,
    };
  }
  return { kind: 'number', text: shortest };
}

function digitsOf(plain: string): number {
  return plain.replace(/[-.]/g, '').replace(/^0+/, '').length - (plain.includes('.') ? 0 : trailingZeros(plain));
}

function trailingZeros(plain: string): number {
  return /0*$/.exec(plain)![0].length;
}

/** A float's shortest decimal, without an exponent; null for what is no amount or reference (1e300, infinity). */
function plainOf(value: number): string | null {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e21) return null;
  const text = String(value);
  const small = /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(text);
  if (!small) return text;
  const [, sign = '', first = '', rest = '', exponent = ''] = small;
  return Number(exponent) > 30 ? null : `${sign}0.${'0'.repeat(Number(exponent) - 1)}${first}${rest}`;
}

/**
 * A date of a sheet, which is a count of days, as ISO text; with its time where it has one.
 *
 * @param from1904 whether the workbook counts from 1904, as those of old Macs do
 */
export function dateCell(text: string, from1904: boolean): Cell {
  const serial = Number(text);
  const fault: Cell = { kind: 'fault', text: `holds ${JSON.stringify(text.slice(0, 40))} as a date` };
  if (!NUMBER.test(text.trim()) || serial < 0 || serial > 2_958_466) return fault;
  const seconds = Math.round((serial % 1) * 86_400);
  const days = Math.floor(serial) + (seconds === 86_400 ? 1 : 0);
  // Excel has a 29 February 1900 that never was: day 60. Days before it are one later than the count says.
  if (!from1904 && (days === 60 || days === 0)) return fault;
  const since1900 = from1904 ? days + 1462 : days < 60 ? days + 1 : days;
  const date = new Date(Date.UTC(1899, 11, 30) + since1900 * DAY_MS);
  const day = isoDay(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
  if (day === null) return fault;
  const time = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19);
  return { kind: 'date', text: time === '00:00:00' ? day : `${day} ${time}` };
}

/** The text of a shared or inline string: `_x000D_` stands for a character, `_x005F_` for the underscore before one. */
export function unescapeText(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}

/** A cell's address as zero-based column and row counted from 1; null where it is none. */
export function addressOf(reference: string): { column: number; row: number } | null {
  const found = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference);
  if (!found) return null;
  const column = [...found[1]!.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  const row = Number(found[2]);
  return column < 16_384 && row >= 1 && row <= 1_048_576 ? { column, row } : null;
}

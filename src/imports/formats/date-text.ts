import { amountsError } from '../../words/errors/amounts.ts';
import { FileFault, type TextInFile } from './fault.ts';
import { asciiFigure } from './text-forms.ts';

/** The parts of a map's `date`, such as `DD/MM/YYYY`, with the pattern of each. */
const PARTS: Record<string, string> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<year>\\d{4}|\\d{2})',
  MMMM: '(?<name>[A-Za-z]{3,9}\\.?)',
  MMM: '(?<name>[A-Za-z]{3,9}\\.?)',
  MM: '(?<month>\\d{1,2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{1,2})',
  D: '(?<day>\\d{1,2})',
};
const PART = /YYYY|YY|MMMM|MMM|MM|M|DD|D/g;
/** A time and an offset after the date; the date counts as written. */
const TIME =
  '(?:[T ,]+\\d{1,2}[:.]\\d{2}(?:[:.]\\d{2}(?:[.,]\\d+)?)?\\s*(?:[AaPp]\\.?[Mm]\\.?)?\\s*(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2})?)?';

/**
 * Makes a reader of dates in a map's format: `DD/MM/YYYY`, `D.M.YY`, `MMM D, YYYY`. A time after the date is passed
 * over. A year of four digits is read even if the format has two.
 *
 * @returns null when the format does not name day, month and year once each
 */
export function dayReader(format: string): ((text: string) => string | null) | null {
  // A time in the format (`YYYY-MM-DD HH:mm`) needs no reading: see TIME.
  const dateOnly = format.trim().replace(/[T ,]+[Hh]{1,2}[:.].*$/, '');
  const parts: string[] = dateOnly.match(PART) ?? [];
  const kinds = parts.map((part) => part[0]).sort();
  if (kinds.join('') !== 'DMY' || /[A-Za-z]/.test(dateOnly.replace(PART, ''))) return null;
  const pattern = dateOnly
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s+')
    .replace(PART, (part) => PARTS[part]!);
  const compiled = new RegExp(`^${pattern}${TIME}$`);
  // Without separators only its length shows where a number ends: each must have all its digits.
  const hasNoSeparators = /^(YYYYMMDD|YYMMDD|DDMMYYYY|DDMMYY|MMDDYYYY|MMDDYY)$/.test(dateOnly);
  return (text) => {
    if (hasNoSeparators && !new RegExp(`^\\d{${dateOnly.length}}$`).test(text)) return null;
    const found = compiled.exec(text)?.groups;
    if (!found) return null;
    const month = found.name === undefined ? Number(found.month) : monthNamed(found.name);
    return isoDay(yearOf(found.year!), month, Number(found.day));
  };
}

// `2026-10-03`, `2026/10/3 14:05`, `20261003`, `03/04/26`, `3-Oct-2026`, `Oct. 3rd, 2026`.
const ISO = /^\d{4}-\d{2}-\d{2}$/;
const YEAR_FIRST = new RegExp(
  `^(?<year>\\d{4})(?<separator>[-/.])(?<month>\\d{1,2})\\k<separator>(?<day>\\d{1,2})${TIME}$`,
);
const COMPACT = /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})$/;
const NUMBERS = new RegExp(`^(\\d{1,2})[-/.](\\d{1,2})[-/.](\\d{4}|\\d{2})${TIME}$`);
const DAY_NAME = new RegExp(`^(\\d{1,2})[-/. ]*([A-Za-z]{3,9}\\.?)[-/., ]*(\\d{4}|\\d{2})${TIME}$`);
const NAME_DAY = new RegExp(`^([A-Za-z]{3,9}\\.?)[-/. ]*(\\d{1,2})(?:st|nd|rd|th)?[-/., ]+(\\d{4})${TIME}$`);

/** Which number of `03/04/2026` is the day. */
type Order = 'day first' | 'month first';

/** A date that can be read in one way, in two ways (the file's other dates decide which), or not at all (null). */
type Scan =
  | { readonly day: string }
  | { readonly first: number; readonly second: number; readonly year: number }
  | null;

function scanDate(text: string): Scan {
  if (ISO.test(text)) return scanned(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)));
  const ascii = plainDate(text);
  const iso = (YEAR_FIRST.exec(ascii) ?? COMPACT.exec(ascii))?.groups;
  if (iso) return scanned(Number(iso.year), Number(iso.month), Number(iso.day));
  const numbers = NUMBERS.exec(ascii);
  if (numbers) {
    const [, first = '', second = '', year = ''] = numbers;
    return { first: Number(first), second: Number(second), year: yearOf(year) };
  }
  const dayName = DAY_NAME.exec(ascii);
  if (dayName) return scanned(yearOf(dayName[3]!), monthNamed(dayName[2]!), Number(dayName[1]));
  const nameDay = NAME_DAY.exec(ascii);
  return nameDay ? scanned(yearOf(nameDay[3]!), monthNamed(nameDay[1]!), Number(nameDay[2])) : null;
}

/** A date in ASCII without Quicken's padding: `1/ 5' 5` and `1/ 5'05` become `1/5/2005`, `1/ 5/98` becomes `1/5/98`. */
function plainDate(text: string): string {
  const ascii = asciiFigure(text).replace(/\s+/g, ' ');
  const parts = /^(\d{1,2}) ?([-/.]) ?(\d{1,2}) ?([-/.']) ?(\d{1,4})(?!\d)(.*)$/.exec(ascii);
  if (!parts) return ascii;
  const [, first, separator, second, mark, year = '', time] = parts;
  const full = mark === "'" && year.length <= 2 ? `20${year.padStart(2, '0')}` : year;
  return `${first}${separator}${second}${mark === "'" ? separator : mark}${full}${time}`;
}

function scanned(year: number, month: number, day: number): Scan {
  const iso = isoDay(year, month, day);
  return iso === null ? null : { day: iso };
}

/** A year of two digits by SWIFT's rule: 80 to 99 are 1980 to 1999. */
function yearOf(digits: string): number {
  if (digits.length !== 2) return Number(digits);
  return Number(digits) + (digits >= '80' ? 1900 : 2000);
}

/**
 * Makes a reader of a file's dates: in the map's format, or those that can be read in one way only (`2026-10-03`,
 * `3 Oct 2026`), or `03/04/2026` in the order that a day after the 12th somewhere in the file shows.
 *
 * @throws FileFault when all dates can be read in two ways, with a format for the map (`date`) that would decide it; or
 *   when they contradict each other
 */
export function dateReader(dates: Iterable<TextInFile>, format?: string | undefined): (date: TextInFile) => string {
  if (format !== undefined) {
    const read = dayReader(format);
    if (read === null) throw new FileFault(amountsError({ id: 'no-date-form', form: format }));
    return (date) => requireDay(date, read(plainDate(date.text)), format);
  }
  let order: Order | null = null;
  let doubtful: TextInFile | null = null;
  for (const date of dates) {
    const scan = scanDate(date.text);
    if (scan === null || 'day' in scan) continue;
    const { first, second, year } = scan;
    const dayFirst = isoDay(year, second, first);
    const monthFirst = isoDay(year, first, second);
    // The same day either way (`05/05/2026`), or none.
    if (dayFirst === monthFirst) continue;
    if (dayFirst !== null && monthFirst !== null) {
      doubtful ??= date;
      continue;
    }
    const orderOfDate: Order = dayFirst === null ? 'month first' : 'day first';
    if (order !== null && order !== orderOfDate) {
      throw new FileFault(amountsError({ id: 'date-other-order', date: date.text }), date);
    }
    order = orderOfDate;
  }
  if (order === null && doubtful !== null) {
    const forms = formsOf(doubtful.text);
    throw new FileFault(amountsError({ id: 'date-in-two-ways', date: doubtful.text, forms }), doubtful, {
      date: forms[0],
    });
  }
  return (date) => {
    const scan = scanDate(date.text);
    if (scan === null) return requireDay(date, null, null);
    if ('day' in scan) return scan.day;
    const [month, day] = order === 'month first' ? [scan.first, scan.second] : [scan.second, scan.first];
    return requireDay(date, isoDay(scan.year, month, day), null);
  };
}

/** The two formats that a doubtful date fits, with its separators: `DD.MM.YY` and `MM.DD.YY` for `03.04.26`. */
function formsOf(date: string): readonly [dayFirst: string, monthFirst: string] {
  const [, first, second, year] = /^\d+([-/.])\d+([-/.])(\d{4})?/.exec(plainDate(date))!;
  const end = `${second}${year === undefined ? 'YY' : 'YYYY'}`;
  return [`DD${first}MM${end}`, `MM${first}DD${end}`];
}

/** @param form the format that a map gives; null for none */
function requireDay(date: TextInFile, day: string | null, form: string | null): string {
  if (day !== null) return day;
  throw new FileFault(amountsError({ id: 'no-date', date: date.text, form }), date);
}

/** A day as ISO text; null if the calendar has no such day (31 February), or the year is not in 1900 to 2999. */
export function isoDay(year: number, month: number, day: number): string | null {
  if (!Number.isInteger(year) || year < 1900 || year > 2999) return null;
  // Day 0 of the next month is the last of this one.
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** `YYYYMMDD` or `YYMMDD` as ISO; null if it is no day. */
export function compactDay(digits: string): string | null {
  if (!/^(\d{6}|\d{8})$/.test(digits)) return null;
  return isoDay(yearOf(digits.slice(0, -4)), Number(digits.slice(-4, -2)), Number(digits.slice(-2)));
}

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** The month, 1 to 12, of an English name or its first three letters (`Sept` too); 0 if it is none. */
function monthNamed(name: string): number {
  const lower = name.toLowerCase().replace(/\.$/, '');
  if (lower === 'sept') return 9;
  return MONTHS.findIndex((month) => month === lower || month.slice(0, 3) === lower) + 1;
}

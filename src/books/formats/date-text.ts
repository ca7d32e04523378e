import { quoted } from '../../text.ts';
import { fullYear, isoDay, monthNamed } from './calendar.ts';
import { asciiFigure } from './characters.ts';
import { type DayReader, dayReader, TIME } from './date-format.ts';
import { FileFault, type Place } from './fault.ts';

const ISO = /^\d{4}-\d{2}-\d{2}$/;
const YEAR_FIRST = new RegExp(`^(\\d{4})([-/.])(\\d{1,2})\\2(\\d{1,2})${TIME}$`);
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;
const NUMBERS = new RegExp(`^(\\d{1,2})\\s*[-/.]\\s*(\\d{1,2})\\s*([-/.'])\\s*(\\d{4}|\\d{2})${TIME}$`);
const DAY_NAME = new RegExp(`^(\\d{1,2})[-/. ]*([A-Za-z]{3,9}\\.?)[-/., ]*(\\d{4}|\\d{2})${TIME}$`);
const NAME_DAY = new RegExp(`^([A-Za-z]{3,9}\\.?)[-/. ]*(\\d{1,2})(?:st|nd|rd|th)?[-/., ]+(\\d{4})${TIME}$`);

/** Which number of `03/04/2026` is the day. */
type Order = 'day first' | 'month first';

/** A date that reads in one way only, in two ways (which the column may decide), or not at all. */
type Scan =
  | { readonly day: string }
  | { readonly first: number; readonly second: number; readonly year: number }
  | null;

function scanDate(text: string): Scan {
  if (ISO.test(text)) return known(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)));
  const ascii = asciiFigure(text).replace(/\s+/g, ' ');
  const iso = YEAR_FIRST.exec(ascii) ?? COMPACT.exec(ascii);
  if (iso) {
    const [, year, ...rest] = iso;
    const [month, day] = rest.filter((part) => /^\d+$/.test(part ?? ''));
    return known(Number(year), Number(month), Number(day));
  }
  const numbers = NUMBERS.exec(ascii);
  if (numbers) {
    const [, first = '', second = '', mark, year = ''] = numbers;
    // Quicken writes '04 for 2004 and /98 for 1998.
    const full = year.length === 4 ? Number(year) : mark === "'" ? 2000 + Number(year) : fullYear(Number(year));
    return { first: Number(first), second: Number(second), year: full };
  }
  const dayName = DAY_NAME.exec(ascii);
  if (dayName) return known(yearOf(dayName[3]!), monthNamed(dayName[2]!), Number(dayName[1]));
  const nameDay = NAME_DAY.exec(ascii);
  return nameDay ? known(yearOf(nameDay[3]!), monthNamed(nameDay[1]!), Number(nameDay[2])) : null;
}

function known(year: number, month: number, day: number): Scan {
  const iso = isoDay(year, month, day);
  return iso === null ? null : { day: iso };
}

function yearOf(digits: string): number {
  return digits.length === 2 ? fullYear(Number(digits)) : Number(digits);
}

/** A date of a file, with where it stands. */
export interface DateText extends Place {
  readonly text: string;
}

/**
 * How the dates of a file are read: as the map says, else as they say themselves (`2026-10-03`, `3 Oct 2026`), else by a day
 * after the 12th somewhere among them.
 *
 * @throws FileFault when all of them can be read in two ways, or when they contradict each other
 */
export function dateReader(dates: Iterable<DateText>, format?: string | undefined): (date: DateText) => string {
  if (format !== undefined) {
    const read = dayReader(format);
    if (read === null) {
      throw new FileFault(
        `the map's date ${quoted(format)} is no form of a date`,
        'Write it as DD/MM/YYYY, MM/DD/YY or YYYY-MM-DD.',
      );
    }
    return (date) => need(date, inFormat(date.text, read), `is not a date written as ${format}`);
  }
  let order: Order | null = null;
  let doubtful: DateText | null = null;
  for (const date of dates) {
    const scan = scanDate(date.text);
    if (scan === null || 'day' in scan) continue;
    const { first, second, year } = scan;
    const dayFirst = isoDay(year, second, first);
    const monthFirst = isoDay(year, first, second);
    if (dayFirst === monthFirst) continue;
    if (dayFirst !== null && monthFirst !== null) {
      doubtful ??= date;
      continue;
    }
    const says: Order = dayFirst === null ? 'month first' : 'day first';
    if (order !== null && order !== says) {
      throw new FileFault(
        `${quoted(date.text)} has its day where dates before it have the month`,
        'Correct the dates in the file, so that all are written alike.',
        date,
      );
    }
    order = says;
  }
  if (order === null && doubtful !== null) {
    throw new FileFault(
      `${quoted(doubtful.text)} can be read in two ways, and no other date says which`,
      'Name the order in a map: date = "DD/MM/YYYY" or date = "MM/DD/YYYY".',
      doubtful,
      { date: 'DD/MM/YYYY' },
    );
  }
  return (date) => {
    const scan = scanDate(date.text);
    if (scan === null) return need(date, null, 'is not a date');
    if ('day' in scan) return scan.day;
    const [month, day] = order === 'month first' ? [scan.first, scan.second] : [scan.second, scan.first];
    return need(date, isoDay(scan.year, month, day), 'is not a date');
  };
}

function inFormat(text: string, read: DayReader): string | null {
  return read(asciiFigure(text).replace(/\s+/g, ' '));
}

function need(date: DateText, day: string | null, why: string): string {
  if (day !== null) return day;
  throw new FileFault(
    `${quoted(date.text)} ${why}`,
    'Correct the date in the file, or name its form in a map: date = "DD/MM/YYYY".',
    date,
  );
}

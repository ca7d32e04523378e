/** A day as ISO text; null where the calendar has no such day (31 February), or a year that no books have. */
export function isoDay(year: number, month: number, day: number): string | null {
  if (!Number.isInteger(year) || year < 1900 || year > 2999) return null;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** The year of two digits, as SWIFT has it: 80 to 99 are the last century's. */
export function fullYear(twoDigits: number): number {
  return twoDigits >= 80 ? 1900 + twoDigits : 2000 + twoDigits;
}

/** `YYYYMMDD` or `YYMMDD` as ISO; null where it is no day. */
export function compactDay(digits: string): string | null {
  const year = digits.length === 8 ? Number(digits.slice(0, 4)) : fullYear(Number(digits.slice(0, 2)));
  return /^(\d{6}|\d{8})$/.test(digits) ? isoDay(year, Number(digits.slice(-4, -2)), Number(digits.slice(-2))) : null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const LONG = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** The month of an English name or its first three letters (`Sept` too), 1 to 12; 0 where it is none. */
export function monthNamed(name: string): number {
  const lower = name.toLowerCase().replace(/\.$/, '');
  if (lower === 'sept') return 9;
  return Math.max(MONTHS.indexOf(lower), LONG.indexOf(lower)) + 1;
}

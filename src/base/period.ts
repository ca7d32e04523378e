/**
 * Months, as the API's own year/month listing means them. A month is written `2026-10`; a period is one or more of
 * them, in order. Nothing goes by the machine's time zone.
 */
import { monthIn } from './day.ts';
import { ConfigError, UsageError } from './errors.ts';

const MONTH = /^(\d{4})-(\d{2})$/;
const QUARTER = /^(\d{4})-[Qq]([1-4])$/;
const YEAR = /^\d{4}$/;
const FORMS =
  'A period is a month (2026-10), a quarter (2026-Q4), a year (2026), a range of months (2026-08..2026-10), this-month or last-month.';

/** A year before or after these is a typing mistake. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2099;
/** Twenty years: a longer range is a typing mistake, and would cost one request per month. */
const MOST_MONTHS = 240;

/**
 * Reads a period.
 *
 * @param text `2026-10`, `2026-Q4`, `2026`, `2026-08..2026-10`, `this-month` or `last-month`
 * @param now what `this-month` and `last-month` are computed from, as the clock of `zone` shows it
 * @returns its months in order, at least one
 * @throws UsageError naming what cannot be read; ConfigError when the clock cannot be right
 */
export function parsePeriod(text: string, now: Date, zone: string): string[] {
  const period = text.trim();
  if (isRelative(period)) {
    requireSaneClock(now);
    return [addMonths(monthIn(now, zone), period === 'this-month' ? 0 : -1)];
  }

  const range = period.split('..');
  if (range.length === 2) return monthsBetween(parseMonth(range[0]!, period), parseMonth(range[1]!, period), period);

  const quarter = QUARTER.exec(period);
  if (quarter) {
    const first = parseMonth(`${quarter[1]}-${String(Number(quarter[2]) * 3 - 2).padStart(2, '0')}`, period);
    return monthsBetween(first, addMonths(first, 2), period);
  }
  if (YEAR.test(period)) {
    const first = parseMonth(`${period}-01`, period);
    return monthsBetween(first, addMonths(first, 11), period);
  }
  return [parseMonth(period, period)];
}

/** Whether a period depends on the clock, and so on the books' time zone. */
export function isRelative(period: string): boolean {
  return ['this-month', 'last-month'].includes(period.trim());
}

/**
 * A period in its shortest form, the inverse of {@link parsePeriod}; months that do not follow on each other are
 * listed.
 */
export function formatPeriod(months: readonly string[]): string {
  const first = months[0];
  const last = months.at(-1);
  if (first === undefined || last === undefined) return '';
  if (months.length === 1) return first;
  if (!months.every((month, i) => month === addMonths(first, i))) return months.join(', ');
  const month = Number(first.slice(5));
  if (months.length === 12 && month === 1) return first.slice(0, 4);
  if (months.length === 3 && month % 3 === 1) return `${first.slice(0, 4)}-Q${(month + 2) / 3}`;
  return `${first}..${last}`;
}

/**
 * Refuses a clock that cannot be right, as after a flat battery: the months that it names would stay in the ledger for
 * good.
 *
 * @throws ConfigError
 */
export function requireSaneClock(now: Date): void {
  const year = now.getUTCFullYear();
  if (year >= FIRST_YEAR && year <= LAST_YEAR) return;
  const hint = 'Set the clock, by hand or from the network, and run the command again.';
  throw new ConfigError(`the clock of this machine says ${now.toISOString().slice(0, 10)}`, hint);
}

/** The month `count` months after another; before it, if negative. */
export function addMonths(month: string, count: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** The months from one to another, both included; none if the last is before the first. */
export function eachMonth(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

/** The last day of a month: `2026-10` → `2026-10-31`. */
export function lastDayOf(month: string): string {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10);
}

function parseMonth(text: string, period: string): string {
  const match = MONTH.exec(text);
  if (!match) throw new UsageError(`${quote(period)} is not a period: ${quote(text)} is not a month`, FORMS);
  const [, year = '', month = ''] = match;
  if (Number(month) < 1 || Number(month) > 12) {
    throw new UsageError(`${quote(period)} is not a period: there is no month ${month}`, FORMS);
  }
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) {
    const what = `${quote(period)} is not a period: the year ${year} is not between ${FIRST_YEAR} and ${LAST_YEAR}`;
    throw new UsageError(what, FORMS);
  }
  return text;
}

function monthsBetween(first: string, last: string, period: string): string[] {
  if (first > last) {
    const hint = `Write ${last}..${first}. ${FORMS}`;
    throw new UsageError(`${quote(period)} is not a period: it ends before it begins`, hint);
  }
  const months = eachMonth(first, last);
  if (months.length > MOST_MONTHS) {
    const hint = 'Ask for twenty years or less at a time.';
    throw new UsageError(`${quote(period)} is more than ${MOST_MONTHS} months`, hint);
  }
  return months;
}

/** What was typed, in quotes, short enough to print and without characters that a terminal obeys. */
function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

import { UsageError } from '../base/errors.ts';
import { addMonths } from '../base/period.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** The start of a moment's day in UTC, in milliseconds. */
export function dayOf(moment: number): number {
  return Math.floor(moment / DAY) * DAY;
}

/** `YYYY-MM-DD` of a moment, in UTC. */
export function dateText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/**
 * A moment as the service prints and stores it: ISO 8601 in UTC with six decimals and an offset,
 * `2026-10-03T09:15:00.000000+00:00` (spec, 'Order'). Texts of this form sort by time.
 *
 * @param micros microseconds within the millisecond, 0 to 999
 */
export function timestamp(moment: Date | number, micros = 0): string {
  return `${new Date(moment).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}+00:00`;
}

/** On Sundays no van drives; on Mondays invoices are issued. */
export const SUNDAY = 0;
export const MONDAY = 1;

/** The weekday in UTC. */
export function weekday(day: number): number {
  return new Date(day).getUTCDay();
}

/** The first and the last month of a world, as `YYYY-MM`. */
export interface MonthSpan {
  readonly from: string;
  readonly to: string;
}

/** The first moment of these months and the first after them, in milliseconds since 1970 (UTC). */
export function spanOf(months: MonthSpan): { start: number; end: number } {
  const [year = 0, month = 0] = months.to.split('-').map(Number);
  return { start: Date.parse(`${months.from}-01T00:00:00Z`), end: Date.UTC(year, month, 1) };
}

/**
 * Reads `2026-08..2026-10` or `2026-10`.
 *
 * @throws UsageError when the text is neither, or the last month is before the first
 */
export function parseMonths(text: string): MonthSpan {
  const match = /^(\d{4}-(?:0[1-9]|1[0-2]))(?:\.\.(\d{4}-(?:0[1-9]|1[0-2])))?$/.exec(text);
  const hint = 'Write the first and the last month, such as 2026-08..2026-10.';
  if (!match?.[1]) throw new UsageError(`${JSON.stringify(text)} is not a range of months`, hint);
  const months = { from: match[1], to: match[2] ?? match[1] };
  if (months.from > months.to) throw new UsageError(`${text} ends before it begins`, hint);
  return months;
}

/** The two full months before `now`, and the month of `now`. */
export function defaultMonths(now: Date): MonthSpan {
  const month = dateText(now.getTime()).slice(0, 7);
  return { from: addMonths(month, -2), to: month };
}

/**
 * Reads a day, `2026-10-31`.
 *
 * @returns its first moment in UTC, in milliseconds
 * @throws UsageError when the text is no day of the calendar
 */
export function parseDay(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(day) || dateText(day) !== text) {
    const hint = 'Write it as year, month and day, such as 2026-10-31.';
    throw new UsageError(`${JSON.stringify(text)} is not a day`, hint);
  }
  return day;
}

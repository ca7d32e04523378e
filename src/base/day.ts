import { parseInstant } from './instant.ts';

const DAY = 86_400_000;
/** No zone's clock begins a day at another minute than one of these quarters of an hour of UTC. */
const QUARTER = 900_000;

/** The dates of one zone's clock, remembered per quarter of an hour since 1970, because asking Intl is slow. */
class ZoneDays {
  /** Null for UTC, which needs none. */
  readonly #format: Intl.DateTimeFormat | null = null;
  readonly #days = new Map<number, string>();

  constructor(timeZone: string) {
    if (timeZone === 'UTC') return;
    this.#format = new Intl.DateTimeFormat('en', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  }

  of(instant: Date): string {
    const quarter = Math.floor(instant.getTime() / QUARTER);
    const remembered = this.#days.get(quarter);
    if (remembered !== undefined) return remembered;
    const { date } = this.#read(quarter);
    this.#days.set(quarter, date);
    return date;
  }

  /** By how many milliseconds the clock is ahead of UTC at a quarter of an hour. */
  offsetAt(quarter: number): number {
    const { date, hour, minute } = this.#read(quarter);
    return Date.parse(`${date}T${hour}:${minute}:00Z`) - quarter * QUARTER;
  }

  #read(quarter: number) {
    if (this.#format === null) {
      const [date = '', time = ''] = new Date(quarter * QUARTER).toISOString().split('T');
      return { date, hour: time.slice(0, 2), minute: time.slice(3, 5) };
    }
    const parts = this.#format.formatToParts(quarter * QUARTER);
    const [year, month, day, hour, minute] = (['year', 'month', 'day', 'hour', 'minute'] as const).map((type) => {
      return parts.find((part) => part.type === type)!.value;
    });
    return { date: `${year!.padStart(4, '0')}-${month}-${day}`, hour, minute };
  }
}

const ZONES = new Map<string, ZoneDays>();

function daysOf(zone: string): ZoneDays {
  const days = ZONES.get(zone) ?? new ZoneDays(zone);
  ZONES.set(zone, days);
  return days;
}

/**
 * The day of an instant by the clock of a time zone: `2026-10-31T23:30:00Z` is on `2026-11-01` in Asia/Beirut. For a
 * text that is no date-time, such as a mere date, the day with which it begins.
 *
 * @param zone an IANA name, such as the books' `time_zone`
 */
export function dayIn(instant: string | Date, zone: string): string {
  const date = typeof instant === 'string' ? parseInstant(instant) : instant;
  if (date === null) return String(instant).slice(0, 10);
  return daysOf(zone).of(date);
}

/**
 * The minutes after midnight UTC at which the date of a zone's clock may change on a day between two dates: when a day
 * begins there, and when the clock is put forward or back. SQL knows no zones, and tells days apart by these minutes.
 * In Asia/Beirut a day begins at 1320 (22:00 UTC), in summer at 1260.
 */
export function dateChanges(zone: string, from: string, to: string): number[] {
  const clock = daysOf(zone);
  const perDay = DAY / QUARTER;
  const changes = new Set<number>();
  let before: number | undefined;
  // A date that somebody states may be a day away from that of the zone. A change of the clock on the last day shows
  // only when the next day begins.
  for (let day = dayNumber(from) - 1; day <= dayNumber(to) + 2; day += 1) {
    let quarter = day * perDay;
    const offset = clock.offsetAt(quarter);
    // The zone's midnight.
    changes.add(minuteOfDay(-offset));
    if (before !== undefined && offset !== before) {
      // Back to the quarter from which the clock has had this offset.
      while (clock.offsetAt(quarter - 1) === offset) quarter -= 1;
      changes.add(minuteOfDay(quarter * QUARTER));
    }
    before = offset;
  }
  return [...changes];
}

/** The minute of the UTC day at an instant in milliseconds, rounded up to a quarter of an hour. */
function minuteOfDay(time: number): number {
  const quarter = Math.ceil(time / QUARTER) * QUARTER;
  return (((quarter % DAY) + DAY) % DAY) / 60_000;
}

/** Whether this machine knows a zone of that name; a mere offset, such as `+03:00`, is no name. */
export function isTimeZone(text: string): boolean {
  if (text === 'UTC') return true;
  if (!/^[a-z]/i.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** The time zone in the variable TZ, else that of this machine; null if neither is known, as with an empty TZ. */
export function machineZone({ TZ }: Readonly<Record<string, string | undefined>>): string | null {
  if (TZ !== undefined && isTimeZone(TZ)) return TZ;
  // Most servers run in UTC, and the first question to Intl takes 12 ms.
  if (String(new Date()).endsWith('(Coordinated Universal Time)')) return 'UTC';
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return isTimeZone(timeZone) ? timeZone : null;
}

/**
 * An ISO date-time by the clock of a time zone, with its offset there: `2026-10-31T23:30:00Z` is
 * `2026-11-01T01:30:00+02:00` in Beirut. Text that is no date-time, or has that offset already, is returned as it is.
 */
export function inZone(iso: string, zone: string): string {
  const instant = parseInstant(iso);
  if (instant === null) return iso;
  const offset = daysOf(zone).offsetAt(Math.floor(instant.getTime() / QUARTER)) / 60_000;
  const twoDigits = (count: number) => String(Math.floor(Math.abs(count))).padStart(2, '0');
  const offsetText = `${offset < 0 ? '-' : '+'}${twoDigits(offset / 60)}:${twoDigits(offset % 60)}`;
  if (iso.endsWith(offsetText) || (offset === 0 && iso.endsWith('Z'))) return iso;
  return `${new Date(instant.getTime() + offset * 60_000).toISOString().slice(0, 19)}${offsetText}`;
}

/** The month of an instant by the clock of a time zone: see {@link dayIn}. */
export function monthIn(instant: string | Date, zone: string): string {
  return dayIn(instant, zone).slice(0, 7);
}

/** The last instant of a day by the clock of a time zone: see {@link dayIn}. */
export function endOfDay(day: string, zone: string): Date {
  // No zone is a whole day away from UTC.
  let quarter = (dayNumber(day) + 2) * (DAY / QUARTER);
  while (dayIn(new Date((quarter - 1) * QUARTER), zone) > day) quarter -= 1;
  return new Date(quarter * QUARTER - 1);
}

/** A date, `2026-10-09`, as a count of days, for differences between dates. */
export function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / DAY);
}

export function addDays(date: string, days: number): string {
  return new Date((dayNumber(date) + days) * DAY).toISOString().slice(0, 10);
}

/** Whole days from one ISO day to another; negative if the second is earlier, null if one of them is no date. */
export function daysBetween(from: string, to: string): number | null {
  const days = dayNumber(to) - dayNumber(from);
  return Number.isNaN(days) ? null : days;
}

/** How old something is on a day, in days; 0 if it is dated later: an invoice may be listed a month early. */
export function ageOn(dated: string, day: string): number | null {
  const days = daysBetween(dated, day);
  return days === null ? null : Math.max(days, 0);
}

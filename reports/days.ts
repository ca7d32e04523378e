const DAY = 86_400_000;

/**
 * Whole days from the day of a date-time, as its own text states it, to another day; negative where that day was before it, null where
 * the text begins with no date.
 *
 * @param from ISO, with or without a time
 * @param day `2026-10-31`
 */
export function daysUntil(from: string, day: string): number | null {
  const [start, end] = [Date.parse(`${from.slice(0, 10)}T00:00:00Z`), Date.parse(`${day}T00:00:00Z`)];
  return Number.isNaN(start) || Number.isNaN(end) ? null : Math.round((end - start) / DAY);
}

/** The day so many days after another. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

const DAY = 86_400_000;

/** Whole days from one day to another, such as `2026-10-31`; negative where that was before it, null where the first is no date. */
export function daysUntil(from: string, day: string): number | null {
  const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${day}T00:00:00Z`)];
  return Number.isNaN(start) || Number.isNaN(end) ? null : Math.round((end - start) / DAY);
}

/** The age in days of what is dated `from`, at the end of a day; of an invoice that the courier lists in the month before its own day, 0. */
export function ageAt(day: string, from: string): number | null {
  const days = daysUntil(from, day);
  return days === null ? null : Math.max(days, 0);
}

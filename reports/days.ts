const DAY_MS = 86_400_000;

/** Whole days from one ISO day to another; negative if the second is earlier, null if one of them is no date. */
export function daysUntil(from: string, day: string): number | null {
  const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${day}T00:00:00Z`)];
  return Number.isNaN(start) || Number.isNaN(end) ? null : Math.round((end - start) / DAY_MS);
}

/** The age in days, on `day`, of something dated `from`; 0 before that: an invoice may be listed a month early. */
export function ageAt(day: string, from: string): number | null {
  const days = daysUntil(from, day);
  return days === null ? null : Math.max(days, 0);
}

const DAY_MS = 86_400_000;

/** Whole days from one ISO day to another; negative if the second is earlier, null if one of them is no date. */
export function daysBetween(from: string, to: string): number | null {
  const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T00:00:00Z`)];
  return Number.isNaN(start) || Number.isNaN(end) ? null : Math.round((end - start) / DAY_MS);
}

/** How old something is on a day, in days; 0 if it is dated later: an invoice may be listed a month early. */
export function ageOn(dated: string, day: string): number | null {
  const days = daysBetween(dated, day);
  return days === null ? null : Math.max(days, 0);
}

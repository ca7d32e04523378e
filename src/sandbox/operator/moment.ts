import { dateText, HOUR, parseDay } from '../calendar.ts';
import { latestEvent } from '../store/latest.ts';
import type { Store } from '../store/store.ts';
import { timestamp } from '../store/timestamp.ts';

/**
 * When an invoice is issued: now, but never before what has happened already, because a simulated world may be ahead of
 * the clock.
 *
 * @param date another day, `2026-10-31`, at noon UTC; a past one is taken as it is
 * @returns the moment as `timestamp()` writes it
 * @throws UsageError when the date is no day of the calendar
 */
export function momentOfIssue(store: Store, now: Date, date?: string): string {
  if (date !== undefined) {
    const day = parseDay(date);
    if (date !== dateText(now.getTime())) return timestamp(new Date(day + 12 * HOUR));
  }
  const at = timestamp(now);
  const latest = latestEvent(store);
  return latest !== undefined && latest > at ? latest : at;
}

import { UsageError } from './errors.ts';
import { parseInstant } from './instant.ts';
import { quoted } from './text.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Reads a day or an instant of the past. A day means its end, in UTC: all that became known on it.
 *
 * @throws UsageError for a text that is neither, and for what has not come yet
 */
export function parseAsOf(text: string, now: Date): Date {
  const trimmed = text.trim();
  const instant = DAY.test(trimmed) ? endOf(trimmed) : trimmed.includes('T') ? parseInstant(trimmed) : null;
  if (instant === null) {
    throw new UsageError(
      `${quoted(text)} is not a day or an instant`,
      'Write a day as 2026-11-05, or an instant as 2026-11-05T09:00:00+02:00.',
    );
  }
  if (!DAY.test(trimmed) && instant > now) {
    throw new UsageError(`${quoted(text)} has not come yet`, 'Leave --as-of out to see what is known now.');
  }
  return instant;
}

function endOf(day: string): Date | null {
  const start = parseInstant(`${day}T00:00:00Z`);
  return start?.toISOString().startsWith(day) ? new Date(start.getTime() + 86_400_000 - 1) : null;
}

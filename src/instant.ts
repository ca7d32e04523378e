import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';

const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;
const OFFSET = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * Reads an ISO 8601 date-time as the API writes it, with an offset and up to microseconds (which are cut to milliseconds).
 * One without an offset is taken as UTC, so that the answer never depends on this machine's time zone.
 *
 * @returns null when the text is no date-time
 */
export function parseInstant(text: string): Date | null {
  const trimmed = text.trim().toUpperCase();
  if (!DATE_AND_TIME.test(trimmed)) return null;
  const instant = parseISO(OFFSET.test(trimmed) ? trimmed : `${trimmed}Z`);
  return isValid(instant) ? instant : null;
}

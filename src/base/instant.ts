import { isValid } from 'date-fns/isValid';
import { parseISO } from 'date-fns/parseISO';

const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;
/** What every JavaScript engine reads alike: a day up to the 28th, a time of day, an offset. */
const STRICT_INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const OFFSET = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * Reads an ISO 8601 date-time as the API writes it, with an offset and up to microseconds (which are cut to
 * milliseconds). One without an offset is taken as UTC, so that the answer never depends on this machine's time zone.
 *
 * @returns null when the text is no date-time
 */
export function parseInstant(text: string): Date | null {
  // An order has a dozen of them, and the engine's own parser takes a tenth of the time.
  if (STRICT_INSTANT.test(text)) return new Date(text);
  const trimmed = text.trim().toUpperCase();
  if (!DATE_AND_TIME.test(trimmed)) return null;
  const instant = parseISO(OFFSET.test(trimmed) ? trimmed : `${trimmed}Z`);
  return isValid(instant) ? instant : null;
}

/** The offset of a date-time as it is written: `+03:00`; `UTC` for `Z`, and for a text without one. */
export function offsetOf(iso: string): string {
  const offset = OFFSET.exec(iso.trim().toUpperCase())?.[0];
  return offset === undefined || offset === 'Z' ? 'UTC' : offset;
}

/**
 * A date-time for people, with the offset that the document states: `2026-09-08 00:00:00 +03:00`. Text that is no
 * date-time is returned as it is.
 */
export function instantForPeople(iso: string): string {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)/i.exec(iso.trim()) ?? [];
  return day === undefined ? iso : `${day} ${time} ${offsetOf(iso)}`;
}

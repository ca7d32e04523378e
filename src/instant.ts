const INSTANT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Reads an ISO 8601 date-time as the API writes it, with an offset and up to microseconds (which are cut to milliseconds).
 * One without an offset is taken as UTC, so that the answer never depends on this machine's time zone.
 *
 * @returns null when the text is no date-time
 */
export function parseInstant(text: string): Date | null {
  const match = INSTANT.exec(text.trim());
  if (!match) return null;
  const normal = text.trim().replace(' ', 'T').replace(',', '.');
  const instant = new Date(match[1] ? normal : `${normal}Z`);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

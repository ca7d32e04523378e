import { ContractError } from '../errors.ts';
import { parseInstant } from '../instant.ts';

/**
 * Checks a date-time of the wire and gives it back as received: its offset is evidence too.
 *
 * @throws ContractError that names the field
 */
export function instantText(text: string, path: string): string {
  instantOf(text, path);
  return text;
}

/** The instant of a date-time of the wire. @throws ContractError that names the field */
export function instantOf(text: string, path: string): Date {
  const instant = parseInstant(text);
  if (instant) return instant;
  throw new ContractError(
    `${path}: ${JSON.stringify(text.slice(0, 60))} is not a date and time`,
    'A date-time is written as ISO 8601 with an offset, such as 2026-10-31T09:00:00+02:00.',
    { path },
  );
}

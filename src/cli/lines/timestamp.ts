import { instantForPeople } from '../../base/instant.ts';
import { cleanText } from '../../base/text.ts';

/** A date-time to the second, with the offset that its document states: `2026-09-08 00:00:00 +03:00`. */
export function timestampText(iso: string): string {
  return cleanText(instantForPeople(iso), 60);
}

import { fullYear, isoDay, monthNamed } from './calendar.ts';

/** What a map's `date` may hold, and how each part reads. */
const PARTS: Record<string, string> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<year>\\d{2})',
  MMMM: '(?<name>[A-Za-z]{3,9}\\.?)',
  MMM: '(?<name>[A-Za-z]{3,9}\\.?)',
  MM: '(?<month>\\d{1,2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{1,2})',
  D: '(?<day>\\d{1,2})',
};
const PART = /YYYY|YY|MMMM|MMM|MM|M|DD|D/g;
/** A time and an offset after the date; the date counts as written. */
export const TIME =
  '(?:[T ,]+\\d{1,2}[:.]\\d{2}(?:[:.]\\d{2}(?:[.,]\\d+)?)?\\s*(?:[AaPp]\\.?[Mm]\\.?)?\\s*(?:Z|UTC|GMT|[+-]\\d{2}:?\\d{2})?)?';

/** Reads a text as a day; null where it is none. */
export type DayReader = (text: string) => string | null;

/**
 * A reader of dates written as a map says: `DD/MM/YYYY`, `D.M.YY`, `MMM D, YYYY`. A time after the date is passed over.
 *
 * @returns null when the format does not name day, month and year once each
 */
export function dayReader(format: string): DayReader | null {
  // A time in the format (`YYYY-MM-DD HH:mm`) says nothing that the reader does not know.
  const dateOnly = format.trim().replace(/[T ,]+[Hh]{1,2}[:.].*$/, '');
  const parts: string[] = dateOnly.match(PART) ?? [];
  const kinds = parts.map((part) => part[0]).sort();
  if (kinds.join('') !== 'DMY' || /[A-Za-z]/.test(dateOnly.replace(PART, ''))) return null;
  const pattern = dateOnly
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\s+/g, '\\s+')
    .replace(PART, (part) => PARTS[part]!);
  const compiled = new RegExp(`^${pattern}${TIME}$`);
  const fixed = /^(YYYYMMDD|YYMMDD|DDMMYYYY|DDMMYY|MMDDYYYY|MMDDYY)$/.test(dateOnly);
  return (text) => {
    if (fixed && !new RegExp(`^\\d{${dateOnly.length}}$`).test(text)) return null;
    const found = compiled.exec(text)?.groups;
    if (!found) return null;
    const year = Number(found.year);
    const month = found.name === undefined ? Number(found.month) : monthNamed(found.name);
    return isoDay(found.year!.length === 2 ? fullYear(year) : year, month, Number(found.day));
  };
}

const DAY = 86_400_000;

export const daysAfter = (instant: Date, days: number): Date => new Date(instant.getTime() + days * DAY);

/** The instant as the API writes it, with an offset of whole hours and microseconds. */
export function stamp(instant: Date, offsetHours: number): string {
  const local = new Date(instant.getTime() + offsetHours * 3_600_000).toISOString().slice(0, -1);
  const sign = offsetHours < 0 ? '-' : '+';
  return `${local}000${sign}${String(Math.abs(offsetHours)).padStart(2, '0')}:00`;
}

/** The month that a timestamp of the API names, in its own offset. */
export const monthOf = (timestamp: string): string => timestamp.slice(0, 7);

/** The day of an instant by the clock of a zone. */
export const dayOf = (instant: Date, zone: string): string =>
  new Intl.DateTimeFormat('sv', { timeZone: zone }).format(instant.getTime());

/** `2026-09` and 1 give `2026-10`. */
export function monthAfter(month: string, by: number): string {
  const index = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + by;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
}

/** Every month from one to another, both included. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = monthAfter(month, 1)) months.push(month);
  return months;
}

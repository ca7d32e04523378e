/** `1 invoice`, `2 invoices`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A count with a comma between its thousands: `1,090`. */
export function countGrouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

const UNITS = ['kB', 'MB', 'GB', 'TB'];

/** Bytes in the unit that reads best: `1.2 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, 'byte');
  // From 999.95 on it would read 1000.0: the next unit says it.
  let size = bytes / 1_000;
  let unit = 0;
  for (; size >= 999.95 && unit < UNITS.length - 1; unit += 1) size /= 1_000;
  return `${size.toFixed(1)} ${UNITS[unit]}`;
}

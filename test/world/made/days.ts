export const DAY = 86_400_000;

export function at(day: string, hour = 0): number {
  return Date.parse(`${day}T00:00:00Z`) + hour * 3_600_000;
}

/** `2026-10-05`. Every hour of a world lies so that its day is the same in Beirut and in Greenwich. */
export function dayText(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** As the API writes instants, two hours ahead of Greenwich. */
export function stamp(moment: number): string {
  return `${new Date(moment + 2 * 3_600_000).toISOString().slice(0, 23)}000+02:00`;
}

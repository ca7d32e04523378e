import { parseInstant } from '../base/instant.ts';

/** The month in which an invoice counts: that of `issued_at` if it is among the months that list the invoice, else the month that listed it first. */
export function monthOf(live: readonly { period: string }[], issuedAt: string): string {
  const months = live.map(({ period }) => period);
  // In the invoice's own offset, as it is printed on it; some servers list by UTC.
  const issued = [issuedAt.trim().slice(0, 7), parseInstant(issuedAt)?.toISOString().slice(0, 7)];
  return issued.find((month) => month !== undefined && months.includes(month)) ?? months[0]!;
}

/** The listings that lost an invoice last, when no month lists it any more; several may lose it in one run. */
export function leftTogether<T extends { vanished_run: number | null }>(listings: readonly T[]): T[] {
  const last = Math.max(...listings.map(({ vanished_run }) => vanished_run ?? 0));
  return listings.filter(({ vanished_run }) => (vanished_run ?? 0) === last);
}

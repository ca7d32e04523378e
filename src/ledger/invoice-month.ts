import { parseInstant } from '../instant.ts';

/** Of the months that list an invoice, in the order in which they first did, the one that it counts in: that of `issued_at`, else the first. */
export function monthOf(live: readonly { period: string }[], issuedAt: string): string {
  const months = live.map(({ period }) => period);
  // In the invoice's own offset, as it is printed on it; some servers list by UTC.
  const issued = [issuedAt.trim().slice(0, 7), parseInstant(issuedAt)?.toISOString().slice(0, 7)];
  return issued.find((month) => month !== undefined && months.includes(month)) ?? months[0]!;
}

/** Of an invoice that no month lists any more, the listings that lost it last: several may have in one run, one after the other. */
export function leftTogether<T extends { vanished_run: number | null }>(listings: readonly T[]): T[] {
  const last = Math.max(...listings.map(({ vanished_run }) => vanished_run ?? 0));
  return listings.filter(({ vanished_run }) => (vanished_run ?? 0) === last);
}

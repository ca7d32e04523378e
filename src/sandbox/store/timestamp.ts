import type { Store } from './store.ts';

/**
 * A moment as the service prints and stores it: ISO 8601 in UTC with six decimals and an offset,
 * `2026-10-03T09:15:00.000000+00:00` (spec, 'Order'). Texts of this form sort by time.
 *
 * @param micros microseconds within the millisecond, 0 to 999
 */
export function timestamp(moment: Date, micros = 0): string {
  return `${moment.toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}+00:00`;
}

/** The moment of the latest event, as `timestamp()` writes it; undefined in a service without orders. */
export function latestEvent(store: Store): string | undefined {
  const row = store.get<{ at: string | null }>(
    `select max(at) as at from (
       select max(stamped_at) as at from statestamp
       union all select max(issued_at) from invoice
       union all select max(paid_at) from invoice)`,
  );
  return row?.at ?? undefined;
}

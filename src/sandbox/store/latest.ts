import type { Store } from './store.ts';

/** The latest moment at which anything happened, as `timestamp()` writes it; undefined in a service without orders. */
export function latestEvent(store: Store): string | undefined {
  const row = store.get<{ at: string | null }>(
    `select max(at) as at from (
       select max(stamped_at) as at from statestamp
       union all select max(issued_at) from invoice
       union all select max(paid_at) from invoice)`,
  );
  return row?.at ?? undefined;
}

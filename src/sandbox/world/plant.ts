import { UsageError } from '../../errors.ts';
import { DAY, dateText, spanOf } from '../calendar.ts';
import type { Store } from '../store/store.ts';
import { HEADER_PLANTS } from './plants/headers.ts';
import { ORDER_PLANTS } from './plants/orders.ts';
import { EXTRA_ROW_PLANTS, STATED_PLANTS } from './plants/rows.ts';
import { Targets } from './plants/targets.ts';
import type { WorldOptions } from './seed.ts';
import type { Shop } from './shop.ts';

/** A planted mismatch as a check reports it. */
export interface Planted {
  code: string;
  invoice_number: number | null;
  order_id: string | null;
  currency: string | null;
}

/** The oldest invoice must have waited this long, for one that is overdue for certain. */
const OVERDUE_AFTER = 31 * DAY;

/**
 * Makes a clean world's service say one wrong thing of every kind about one merchant (design: the mismatch catalogue,
 * 'Inside an invoice' but `implied-rate`, 'Against the order book' but `state-regressed`). Each is found by its own check and by
 * no other, and each stands on an invoice or order of its own as far as there are enough.
 *
 * @throws UsageError when the world is too small or too young to hold them all
 */
export function plantMismatches(store: Store, shop: Shop, options: WorldOptions): Planted[] {
  const targets = new Targets(store, shop, {
    overdueBefore: options.asOf.getTime() - OVERDUE_AFTER,
    seed: options.seed,
    ...spanOf(options.months),
    asOf: options.asOf.getTime(),
  });
  if (!targets.hasOverdue()) {
    throw new UsageError(
      `--plant needs an invoice from before ${dateText(options.asOf.getTime() - OVERDUE_AFTER)}`,
      'Begin the months earlier with --months, so that one invoice is old enough to be overdue.',
    );
  }
  return [...EXTRA_ROW_PLANTS, ...STATED_PLANTS, ...HEADER_PLANTS, ...ORDER_PLANTS].map(({ code, plant }) => ({
    code,
    invoice_number: null,
    order_id: null,
    currency: null,
    ...plant(targets),
  }));
}

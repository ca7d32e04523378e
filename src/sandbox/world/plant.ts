import { UsageError } from '../../base/errors.ts';
import { DAY, dateText, spanOf } from '../calendar.ts';
import type { Store } from '../store/store.ts';
import { prepareDrift } from './drift/index.ts';
import type { WorldOptions } from './options.ts';
import { type Planted, type PlantFilter, planted } from './planted.ts';
import { HEADER_PLANTS } from './plants/headers.ts';
import { INVOICE_PLANTS } from './plants/invoices.ts';
import { ORDER_PLANTS } from './plants/orders.ts';
import { REFERENCE_PLANTS } from './plants/references.ts';
import { EXTRA_ROW_PLANTS, STATED_PLANTS } from './plants/rows.ts';
import { Targets } from './plants/targets.ts';
import type { Shop } from './shop.ts';

/** An invoice that is unpaid for this long is overdue for certain. */
const OVERDUE_AFTER = 31 * DAY;

const PLANTS = [
  ...EXTRA_ROW_PLANTS,
  ...STATED_PLANTS,
  ...HEADER_PLANTS,
  ...ORDER_PLANTS,
  ...REFERENCE_PLANTS,
  ...INVOICE_PLANTS,
];

/**
 * Plants one mismatch of every kind in the first merchant's documents: those that a first sync shows. Its own check
 * finds each, and no other check does; as far as there are enough, each has an invoice or order to itself. Also makes
 * what `plantDrift` will change later.
 *
 * @throws UsageError when the world is too small or too young to hold them all
 */
export function plantMismatches(store: Store, shop: Shop, options: WorldOptions, wanted: PlantFilter): Planted[] {
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
  const mismatches = PLANTS.filter(wanted).map(({ code, plant }) => planted(code, plant(targets)));
  return [...mismatches, ...prepareDrift(targets)];
}

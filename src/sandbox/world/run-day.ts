import { UsageError } from '../../base/errors.ts';
import { DAY, dayOf } from '../calendar.ts';
import type { Store } from '../store/store.ts';
import { latestEvent, timestamp } from '../store/timestamp.ts';
import { type DayResult, simulateDay } from './day.ts';
import { loadShops, type Shop } from './shop.ts';

/** The fewest orders a day, for a merchant without orders of late. */
const LEAST_ORDERS = 8;

/** The days over which a merchant's pace is averaged. */
const PACE_DAYS = 28;

/**
 * Runs one simulated day of the whole business, for every merchant: the day after the latest event, or today in a
 * service without orders.
 *
 * @throws UsageError when there is no merchant
 */
export function runDay(store: Store, { now }: { now: Date }): DayResult {
  return store.write(() => {
    const shops = loadShops(store);
    if (shops.length === 0) {
      throw new UsageError(`there is no merchant in ${store.db.name}`, 'Fill it with: remit sandbox seed --data FILE');
    }
    const latest = latestEvent(store);
    const day = latest === undefined ? dayOf(now.getTime()) : dayOf(Date.parse(latest)) + DAY;
    return simulateDay(store, shops, {
      day,
      until: day + DAY,
      seed: store.get<{ value: string }>(`select value from setting where name = 'world.seed'`)?.value ?? 'world',
      newOrders: new Map(shops.map((shop) => [shop.id, pace(store, shop, day)])),
    });
  });
}

/** The merchant's average orders a day of the last weeks. */
function pace(store: Store, shop: Shop, day: number): number {
  const row = store.get<{ n: number }>(
    'select count(*) as n from delivery_order where merchant_id = ? and created_at >= ? and created_at < ?',
    shop.id,
    timestamp(new Date(day - PACE_DAYS * DAY)),
    timestamp(new Date(day)),
  );
  return Math.max(LEAST_ORDERS, Math.round((row?.n ?? 0) / PACE_DAYS));
}

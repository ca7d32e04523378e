import { DAY, dateText, spanOf } from '../../calendar.ts';
import type { Store } from '../../store/store.ts';
import type { WorldOptions } from '../options.ts';
import type { Shop } from '../shop.ts';
import { NO_DIFFERENCES, prepareDifferences, UNPRICED_DISTRICT } from './differences.ts';
import { ownOrders } from './own-orders.ts';
import { prices, rates } from './prices.ts';
import { otherLines, receipts } from './receipts.ts';
import type { ShopBooks } from './shop-books.ts';

/**
 * The merchant's own side of a seeded world: its order book, the money received for its paid invoices, the agreed
 * prices. It agrees with the service; with `differ`, orders and invoices are added on which the sides differ in every
 * way they can. Orders without a reference get one, because only a reference links them to the own book. Only within
 * `store.write`.
 */
export function keepBooks(store: Store, shop: Shop, options: WorldOptions, differ: boolean): ShopBooks {
  const { start, end } = spanOf(options.months);
  const asOf = options.asOf.getTime();
  store.run(`update delivery_order set reference_id = '#' || seq where reference_id = '' and merchant_id = ?`, shop.id);
  const differences = differ
    ? prepareDifferences({ store, shop, frame: { end, asOf, seed: options.seed } })
    : NO_DIFFERENCES;
  const last = Math.min(end, asOf);
  const months = monthsBetween(start, last);
  return {
    orders: ownOrders(store, shop.id, differences),
    receipts: receipts(store, shop.id, { differences, seed: options.seed, asOf }),
    inCash: differences.inCash,
    others: otherLines(months, dateText(last - DAY)),
    prices: prices(differ ? UNPRICED_DISTRICT : null),
    rates: rates(months),
    planted: differences.planted,
  };
}

/** The months, `YYYY-MM`, from one moment up to another. */
function monthsBetween(start: number, end: number): string[] {
  const months: string[] = [];
  for (let day = start; day < end; day += DAY) {
    const month = dateText(day).slice(0, 7);
    if (months.at(-1) !== month) months.push(month);
  }
  return months;
}

import { UsageError } from '../../base/errors.ts';
import { DAY, dateText, HOUR, SUNDAY, spanOf, weekday } from '../calendar.ts';
import { setReturns } from '../operator/returns.ts';
import { createApiKey } from '../store/merchants.ts';
import type { Store } from '../store/store.ts';
import { makeShopBooks } from './books/index.ts';
import type { ShopBooks } from './books/shop-books.ts';
import { simulateDay } from './day.ts';
import { prepareDrift } from './drift.ts';
import { type Planted, type PlantFilter, planted, type WorldOptions } from './planted.ts';
import { HEADER_PLANTS, INVOICE_PLANTS } from './plants/headers.ts';
import { EXTRA_ROW_PLANTS, ORDER_PLANTS, PAYMENT_STATE_PLANTS, REFERENCE_PLANTS } from './plants/orders.ts';
import { Targets } from './plants/targets.ts';
import { openShops, type Shop } from './shop.ts';

/** An invoice that is unpaid for this long is overdue by the default setting. */
const OVERDUE_AFTER = 31 * DAY;

/** In the order of planting: an added row writes its invoice's header anew, so that headers are changed after rows. */
const PLANTS = [
  ...EXTRA_ROW_PLANTS,
  ...PAYMENT_STATE_PLANTS,
  ...HEADER_PLANTS,
  ...ORDER_PLANTS,
  ...REFERENCE_PLANTS,
  ...INVOICE_PLANTS,
];

/**
 * Plants one mismatch of every kind that a first sync shows in the first merchant's documents. Exactly one check
 * finds each. No two are on the same order, nor on the same invoice while there are invoices enough. Also prepares the
 * invoices and orders that `plantDrift` will change later.
 *
 * @throws UsageError when the world is too small or too young for all of them
 */
function plantMismatches(store: Store, shop: Shop, options: WorldOptions, wanted: PlantFilter): Planted[] {
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

/** The orders of each merchant a day, by default: about 400 a month. */
const ORDERS_A_DAY = 13;

/** When the world is seeded, invoices older than this are paid, and younger ones are not. */
const PAID_AFTER = 21 * DAY;

/** How long after a world's begin its first invoices are issued: until then there is almost nothing to bill. */
const FIRST_BILLING_AFTER = 3 * DAY;

/** The share of an ordinary day's orders that shops send on a Sunday. */
const SUNDAY_SHARE = 0.3;

export interface SeededWorld {
  /** Each with a new API key, which cannot be read again. */
  merchants: { name: string; key: string }[];
  planted: Planted[];
  /** The first merchant's books, if they were wanted. */
  books: ShopBooks | null;
}

/**
 * Fills an empty service with two merchants and months of orders, which ran through the states at realistic lags, were
 * billed weekly and paid one to three weeks later. At the end of the last month all that is delivered is billed, and
 * only payments continue up to `asOf`.
 *
 * @throws UsageError when the service has merchants already, or the months have no whole day before `asOf`
 */
export function seedWorld(store: Store, options: WorldOptions): SeededWorld {
  const { start, end } = spanOf(options.months);
  const asOf = options.asOf.getTime();
  if (start + DAY > asOf) {
    const what = `the world's first month ${options.months.from} has no whole day before ${dateText(asOf)}`;
    throw new UsageError(what, 'Choose months that lie before today (or before --as-of).');
  }
  return store.write(() => {
    if (store.get('select 1 from merchant limit 1')) {
      const hint = 'Seed a new file, or let days pass in this one with: remit sandbox run-day --data FILE';
      throw new UsageError(`${store.db.name} already holds a world`, hint);
    }
    store.setSetting('world.seed', options.seed);
    if (options.returns) setReturns(store, options.returns);
    const shops = openShops(store, new Date(start));
    runDays(store, shops, options, start, end);
    const merchants = shops.map(({ id, name }) => ({ name, key: createApiKey(store, id, options.asOf) }));
    const first = shops[0] as Shop;
    const wanted = options.plant === true ? () => true : options.plant;
    const plantedMismatches = wanted === false ? [] : plantMismatches(store, first, options, wanted);
    const books = options.books ? makeShopBooks(store, first, options, { differ: wanted !== false }) : null;
    return { merchants, planted: plantedMismatches, books };
  });
}

function runDays(store: Store, shops: readonly Shop[], options: WorldOptions, start: number, end: number): void {
  const { seed } = options;
  const asOf = options.asOf.getTime();
  const until = Math.min(end, asOf);
  const payIssuedBefore = asOf - PAID_AFTER;
  const orders = ordersByDay(options.orders, start, until);
  for (let day = start; day < until; day += DAY) {
    const count = orders.get(day) ?? 0;
    simulateDay(store, shops, {
      day,
      until,
      seed,
      newOrders: new Map(shops.map(({ id }) => [id, count])),
      billToday: asOf >= end && day + DAY === end,
      billFrom: start + FIRST_BILLING_AFTER,
      payIssuedBefore,
    });
  }
  // After the last month only payments go on.
  for (let day = end; day < asOf; day += DAY) {
    simulateDay(store, [], { day, until: asOf, seed, newOrders: new Map(), payIssuedBefore });
  }
}

/** Spreads the orders over the days, fewer on Sundays, none on a last day that ends before six: shops open at five. */
function ordersByDay(orders: number | undefined, start: number, until: number): Map<number, number> {
  const days: { day: number; weight: number }[] = [];
  for (let day = start; day + 6 * HOUR <= until; day += DAY) {
    days.push({ day, weight: weekday(day) === SUNDAY ? SUNDAY_SHARE : 1 });
  }
  const total = orders ?? days.length * ORDERS_A_DAY;
  const weights = days.reduce((sum, { weight }) => sum + weight, 0);
  let weightSoFar = 0;
  let ordersSoFar = 0;
  return new Map(
    days.map(({ day, weight }) => {
      weightSoFar += weight;
      const upTo = Math.round((total * weightSoFar) / weights);
      const count = upTo - ordersSoFar;
      ordersSoFar = upTo;
      return [day, count];
    }),
  );
}

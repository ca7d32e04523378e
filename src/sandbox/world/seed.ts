import { UsageError } from '../../base/errors.ts';
import { DAY, dateText, dayOf, HOUR, spanOf, weekday } from '../calendar.ts';
import { setReturns } from '../operator/returns.ts';
import { createApiKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { keepBooks } from './books/index.ts';
import type { ShopBooks } from './books/shop-books.ts';
import { simulateDay } from './day.ts';
import { prepareDrift } from './drift/index.ts';
import { type Planted, type PlantFilter, planted, type WorldOptions } from './planted.ts';
import { HEADER_PLANTS, INVOICE_PLANTS } from './plants/headers.ts';
import { EXTRA_ROW_PLANTS, ORDER_PLANTS, REFERENCE_PLANTS, STATED_PLANTS } from './plants/orders.ts';
import { Targets } from './plants/targets.ts';
import { openShops, type Shop } from './shop.ts';

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

/** Orders a day of each merchant by default: about 400 a month. */
const ORDERS_A_DAY = 13;

/** At the time of the seeding, invoices older than this are paid and younger ones are not. */
const PAID_AFTER = 21 * DAY;

/** No invoice before this: on a Monday in a world's first days there is almost nothing to bill. */
const FIRST_BILL = 3 * DAY;

/** The share of an ordinary day's orders that shops send on a Sunday. */
const SUNDAY_SHARE = 0.3;

export interface SeededWorld {
  /** Each with a new API key, which cannot be read again. */
  merchants: { name: string; key: string }[];
  planted: Planted[];
  /** The first merchant's own books, if asked for. */
  books: ShopBooks | null;
}

/**
 * Fills an empty service with two merchants and months of orders: they ran through the states at realistic lags, were
 * billed weekly and paid one to three weeks later. At the end of the last month everything delivered is billed and the
 * world stops; only payments go on, up to `asOf`.
 *
 * @throws UsageError when the service holds merchants already, or the months begin after `asOf`
 */
export function seedWorld(store: Store, options: WorldOptions): SeededWorld {
  const { start, end } = spanOf(options.months);
  const asOf = options.asOf.getTime();
  if (start + DAY > asOf) {
    throw new UsageError(
      `the world's first month ${options.months.from} has not begun on ${dateText(asOf)}`,
      'Choose months that lie before today (or before --as-of).',
    );
  }
  return store.write(() => {
    if (store.get('select 1 from merchant limit 1')) {
      throw new UsageError(
        `${store.db.name} already holds a world`,
        'Seed a new file, or let days pass in this one with: remit sandbox run-day --data FILE',
      );
    }
    store.run(`insert or replace into setting (name, value) values ('world.seed', ?)`, options.seed);
    if (options.returns) setReturns(store, options.returns);
    const shops = openShops(store, new Date(start));
    runDays(store, shops, options, start, end);
    const merchants = shops.map(({ id, name }) => ({ name, key: createApiKey(store, id, options.asOf) }));
    const first = shops[0] as Shop;
    const wanted = options.plant === true ? () => true : options.plant;
    const planted = wanted ? plantMismatches(store, first, options, wanted) : [];
    const books = options.books ? keepBooks(store, first, options, wanted !== false) : null;
    return { merchants, planted, books };
  });
}

function runDays(store: Store, shops: readonly Shop[], options: WorldOptions, start: number, end: number): void {
  const { seed } = options;
  const asOf = options.asOf.getTime();
  const until = Math.min(end, asOf);
  const payIssuedBefore = asOf - PAID_AFTER;
  const orders = spread(options.orders, start, until);
  for (let day = start; day < until; day += DAY) {
    const count = orders.get(day) ?? 0;
    simulateDay(store, shops, {
      day,
      until,
      seed,
      newOrders: new Map(shops.map(({ id }) => [id, count])),
      billToday: asOf >= end && day + DAY === end,
      billFrom: start + FIRST_BILL,
      payIssuedBefore,
    });
  }
  for (let day = dayOf(until); day < asOf; day += DAY) {
    if (day >= until) simulateDay(store, [], { day, until: asOf, seed, newOrders: new Map(), payIssuedBefore });
  }
}

/** The orders of each day, fewer on Sundays; they add up to the number that was asked for. */
function spread(orders: number | undefined, start: number, until: number): Map<number, number> {
  const days: { day: number; weight: number }[] = [];
  for (let day = start; day + 6 * HOUR <= until; day += DAY) {
    days.push({ day, weight: weekday(day) === 0 ? SUNDAY_SHARE : 1 });
  }
  const total = orders ?? days.length * ORDERS_A_DAY;
  const weights = days.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  let dealt = 0;
  return new Map(
    days.map(({ day, weight }) => {
      passed += weight;
      const upTo = Math.round((total * passed) / weights);
      const count = upTo - dealt;
      dealt = upTo;
      return [day, count];
    }),
  );
}

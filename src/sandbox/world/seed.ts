import { UsageError } from '../../errors.ts';
import { DAY, dayOf, HOUR, type Months, spanOf, weekday } from '../calendar.ts';
import { createApiKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import { timestamp } from '../store/timestamp.ts';
import { keepBooks } from './books/index.ts';
import type { ShopBooks } from './books/model.ts';
import { simulateDay } from './day.ts';
import { plantMismatches } from './plant.ts';
import type { Planted, PlantFilter } from './planted.ts';
import { openShops, type Shop } from './shop.ts';

/** What a merchant sends on an average day unless it is told otherwise: about 400 orders a month. */
const ORDERS_A_DAY = 13;

/** An invoice that is older than this is paid at the time of the seeding, a younger one is not. */
const PAID_AFTER = 21 * DAY;

/** A Monday in the first days of a world has next to nothing to bill; the one after it is early enough for everything. */
const FIRST_BILL = 3 * DAY;

/** On a Sunday shops send this share of an ordinary day's orders. */
const SUNDAY_SHARE = 0.3;

export interface WorldOptions {
  readonly months: Months;
  /** Orders of each merchant over all the months; about 400 a month unless given. */
  readonly orders?: number | undefined;
  /** Equal seeds (with equal months, orders and asOf) give equal worlds, but for the keys. */
  readonly seed: string;
  /** Nothing happens after this moment. */
  readonly asOf: Date;
  /** Adds one of every mismatch to the first merchant; or those that a filter lets through. */
  readonly plant: boolean | PlantFilter;
  /** Keeps the first merchant's own books too; with `plant`, they differ from the courier's documents in every way they can. */
  readonly books?: boolean;
}

export interface SeededWorld {
  /** Each with a new API key, shown here only. */
  merchants: { name: string; key: string }[];
  planted: Planted[];
  /** The first merchant's own books, where they were asked for. */
  books: ShopBooks | null;
}

/**
 * Fills an empty service with two merchants and months of orders that ran through the states at realistic lags, were billed
 * weekly and paid one to three weeks later. The world stands still at the end of its months, with a last billing run, so
 * that nothing delivered is left over; only payments go on up to `asOf`.
 *
 * @throws UsageError when the service holds merchants already, or the months begin after `asOf`
 */
export function seedWorld(store: Store, options: WorldOptions): SeededWorld {
  const { start, end } = spanOf(options.months);
  const asOf = options.asOf.getTime();
  if (start + DAY > asOf) {
    throw new UsageError(
      `the world's first month ${options.months.from} has not begun at ${timestamp(options.asOf)}`,
      'Choose months that lie before today (or before --as-of).',
    );
  }
  return store.write(() => {
    if (store.get('select 1 from merchant limit 1')) {
      throw new UsageError(
        'this file already holds a world',
        'Seed a new file, or let this one live on with: remit sandbox run-day --data FILE',
      );
    }
    store.run(`insert or replace into setting (name, value) values ('world.seed', ?)`, options.seed);
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

/** Deals the orders out over the days, fewer on Sundays, so that exactly as many are placed as were asked for. */
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

import { UsageError } from '../../base/errors.ts';
import { DAY, dateText, dayOf, HOUR, MONDAY, SUNDAY, timestamp, weekday } from '../calendar.ts';
import { countBillable, issueInvoice, payInvoice } from '../operator/invoicing.ts';
import { readReturnsRule } from '../operator/returns.ts';
import { type Random, seededRandom } from '../random.ts';
import { insertCustomer } from '../rules/customer.ts';
import type { AmountUnits } from '../rules/rate-card.ts';
import { insertOrder } from '../store/insert-order.ts';
import { latestEvent } from '../store/states.ts';
import type { Store } from '../store/store.ts';
import {
  DIRECTIONS,
  GOODS,
  NAMES_ARABIC,
  NAMES_LATIN,
  NAMES_WITH_EMOJI,
  NOTES,
  RETURN_REASONS,
  references,
} from './names.ts';
import { orderDay } from './order-day.ts';
import { type Destination, loadShops, type Shop } from './shop.ts';

/** The fewest orders that a merchant places a day, even without recent ones. */
const LEAST_ORDERS = 8;

/** The days over which a merchant's daily orders are averaged. */
const AVERAGED_DAYS = 28;

/**
 * Lets one more day pass in a service that lives on (`sandbox run-day`), for every merchant: the day after the latest
 * event, or today in a service without orders.
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
      seed: store.setting('world.seed') ?? 'world',
      newOrders: new Map(shops.map((shop) => [shop.id, ordersADay(store, shop, day)])),
    });
  });
}

/** The merchant's average number of orders a day in the last weeks. */
function ordersADay(store: Store, shop: Shop, day: number): number {
  const placed = 'delivery_order where merchant_id = ? and created_at >= ? and created_at < ?';
  const from = timestamp(day - AVERAGED_DAYS * DAY);
  const count = store.count(placed, shop.id, from, timestamp(day));
  return Math.max(LEAST_ORDERS, Math.round(count / AVERAGED_DAYS));
}

/** An invoice that is older than this is not paid by itself any more: the operator may pay it. */
const PAID_WITHIN = 30 * DAY;

export interface DayPlan {
  /** The first moment of the day in UTC, in milliseconds. */
  readonly day: number;
  /** Nothing happens at or after this moment. */
  readonly until: number;
  readonly seed: string;
  /** How many orders each merchant places, by merchant id. */
  readonly newOrders: ReadonlyMap<number, number>;
  /** Issue invoices even if it is not Monday. */
  readonly billToday?: boolean;
  /** Issue no invoice before this day. */
  readonly billFrom?: number;
  /** Pay no invoice that was issued at or after this moment. */
  readonly payIssuedBefore?: number;
}

export interface DayResult {
  date: string;
  created: number;
  moved: number;
  invoices: number;
  payments: number;
}

/**
 * Runs one day by a plan, for {@link runDay} and for a world that is seeded: payments in the morning, pickups and
 * deliveries, new orders, and on Mondays the week's invoices. One transaction.
 */
export function simulateDay(store: Store, shops: readonly Shop[], plan: DayPlan): DayResult {
  return store.write(() => {
    const result = { date: dateText(plan.day), created: 0, moved: 0, invoices: 0, payments: payDue(store, plan) };
    for (const [turn, shop] of shops.entries()) {
      result.moved += moveOpenOrders(store, shop, plan);
      result.created += placeOrders(store, shop, plan);
      result.invoices += bill(store, shop, plan, turn / shops.length);
    }
    return result;
  });
}

/** Pays invoices one to three weeks after their issue. @returns how many */
function payDue(store: Store, plan: DayPlan): number {
  const unpaid = store.all<{ number: number; issued_at: string }>(
    `select number, issued_at from invoice where status = 'PENDING_PAYMENT' and issued_at < ? and issued_at > ? order by number`,
    timestamp(Math.min(plan.payIssuedBefore ?? plan.day, plan.day)),
    timestamp(plan.day - PAID_WITHIN),
  );
  let paid = 0;
  for (const { number, issued_at } of unpaid) {
    const random = seededRandom(`${plan.seed}/pay/${number}`);
    const due = Date.parse(issued_at) + random.int(7, 20) * DAY;
    const at = plan.day + 8 * HOUR + random.int(0, 2 * HOUR);
    if (due > at || at >= plan.until) continue;
    // The second argument of `timestamp` is microseconds, here and below.
    payInvoice(store, number, timestamp(at, random.int(0, 999)));
    paid += 1;
  }
  return paid;
}

/** Moves every order whose parcel or cash is on its way as far as it gets in one day. @returns how many moves */
function moveOpenOrders(store: Store, shop: Shop, plan: DayPlan): number {
  if (weekday(plan.day) === SUNDAY) return 0;
  const open = store.all<{ order_id: string; delivery_state: string }>(
    `select order_id, delivery_state from delivery_order
     where merchant_id = ? and merchant_invoice is null and delivery_state not in ('CANCELLED', 'DELIVERED_AT_WAREHOUSE')
       and not (delivery_state = 'DELIVERED' and payment_state <> 'PENDING_PAYMENT_BY_DRIVER')
     order by seq`,
    shop.id,
  );
  let moved = 0;
  for (const order of open) {
    const random = seededRandom(`${plan.seed}/${order.order_id}/${plan.day}`);
    moved += orderDay(store, order.order_id, random, plan.day + 5 * HOUR, plan.until).run(order);
  }
  return moved;
}

/** Places the day's new orders, and runs the first hours of each. @returns how many */
function placeOrders(store: Store, shop: Shop, plan: DayPlan): number {
  const random = seededRandom(`${plan.seed}/new/${shop.id}/${plan.day}`);
  const close = Math.min(19 * HOUR, plan.until - plan.day);
  const times = Array.from({ length: plan.newOrders.get(shop.id) ?? 0 }, () => random.int(5 * HOUR, close - 1));
  for (const time of times.sort((a, b) => a - b)) {
    const at = plan.day + time;
    const orderId = placeOrder(store, shop, random, timestamp(at, random.int(0, 999)));
    const isInTimeForVan = weekday(plan.day) !== SUNDAY && time < 10 * HOUR;
    orderDay(store, orderId, random, at, plan.until).firstHours(isInTimeForVan);
  }
  return times.length;
}

/**
 * Issues a shop's invoice if the day is a billing day.
 *
 * @param turn the shop's time in the billing hour, from 0 to 1: later invoice numbers have later times
 * @returns how many: 0 or 1
 */
function bill(store: Store, shop: Shop, plan: DayPlan, turn: number): number {
  const random = seededRandom(`${plan.seed}/bill/${shop.id}/${plan.day}`);
  // After the day's last move, so that the last invoices of a world leave nothing unbilled.
  const at = plan.day + 21 * HOUR + Math.floor(turn * HOUR) + random.int(0, 60_000);
  const isBillingDay = plan.billToday || (weekday(plan.day) === MONDAY && plan.day >= (plan.billFrom ?? 0));
  if (!isBillingDay || at >= plan.until || countBillable(store, shop.id) === 0) return 0;
  issueInvoice(store, shop.name, timestamp(at, random.int(0, 999)));
  return 1;
}

/** Places one order, of a new customer or one that the shop has. @returns its id */
function placeOrder(store: Store, shop: Shop, random: Random, at: string): string {
  const destination = chooseDestination(store, shop, random);
  const workflow = random.chance(0.04) ? 'RETURN' : 'STANDARD';
  const seq = (store.get<{ last: number | null }>('select max(seq) as last from delivery_order')?.last ?? 0) + 1;
  const items = random.int(1, 3);
  const orderId = insertOrder(
    store,
    {
      merchant: shop.id,
      pickupLocation: random.pick(shop.pickupIds),
      customer: destination.customerId,
      customerLocation: destination.locationId,
      district: destination.district,
      workflow,
      cod: workflow === 'RETURN' ? drawReturnCod(store, seq) : drawCod(random),
      reference_id: random.pick(references(seq)),
      is_exchange: workflow === 'STANDARD' && random.chance(0.04),
      is_critical: random.chance(0.05),
      number_of_packages: random.chance(0.85) ? 1 : random.int(2, 4),
      description: `${items} × ${random.pick(GOODS)[0]}`,
      notes: random.pick(NOTES),
      return_reason: workflow === 'RETURN' ? random.pick(RETURN_REASONS) : '',
      source_url: random.chance(0.4) ? `https://shop.example.com/admin/orders/${seq}` : '',
    },
    at,
    (limit) => random.int(0, limit - 1),
  );
  if (random.chance(0.4)) insertItems(store, orderId, items, random);
  return orderId;
}

/**
 * Draws the COD, in units of 1/10,000: half in dollars, a quarter in pounds, some in both, a few paid online (zero, or
 * no amount).
 */
function drawCod(random: Random): AmountUnits[] {
  const cents = random.int(4, 140) * 100 + random.pick([0, 0, 25, 50, 75, 90, 99]);
  const usd = { currency: 'USD', units: BigInt(cents) * 100n };
  // In steps of 50,000 pounds.
  const lbp = { currency: 'LBP', units: BigInt(random.int(9, 180)) * 50_000n * 10_000n };
  const drawn = random.next();
  if (drawn < 0.5) return [usd];
  if (drawn < 0.75) return [lbp];
  if (drawn < 0.9) return [usd, lbp];
  if (drawn < 0.97) return [{ currency: 'USD', units: 0n }];
  return [];
}

/**
 * Draws what the merchant pays on a return; it is a negative COD if the company adds up rows as they are stated, and
 * zero in a world without a convention. It depends on the order's number alone, so that worlds with different
 * conventions differ in nothing else.
 */
function drawReturnCod(store: Store, seq: number): AmountUnits[] {
  const returns = readReturnsRule(store);
  if (!returns) return [{ currency: 'USD', units: 0n }];
  const random = seededRandom(`return/${seq}`);
  const units = BigInt(random.int(5, 45)) * 10_000n + random.pick([0n, 2_500n, 5_000n]);
  return [{ currency: 'USD', units: returns.rule === 'as-stated' ? -units : units }];
}

function insertItems(store: Store, orderId: string, count: number, random: Random): void {
  for (let position = 0; position < count; position++) {
    const [name, cents] = random.pick(GOODS);
    const [quantity, price] = [random.int(1, 3), BigInt(cents) * 100n];
    store.insert('integration_item', { order_id: orderId, position, name, quantity, price, currency: 'USD' });
  }
}

/** An address that the shop has, or less often that of a new customer. */
function chooseDestination(store: Store, shop: Shop, random: Random): Destination {
  if (shop.destinations.length > 20 && !random.chance(0.35)) return random.pick(shop.destinations);
  const phone = freePhone(store, shop);
  const name = random.chance(0.08)
    ? random.pick(NAMES_WITH_EMOJI)
    : random.pick(random.chance(0.45) ? NAMES_ARABIC : NAMES_LATIN);
  const customerId = insertCustomer(store, shop.id, {
    name,
    phone_number: phone,
    secondary_phone_number: random.chance(0.15) ? `+9613${random.int(100_000, 999_999)}` : random.pick([null, '']),
    email: random.chance(0.3) ? `customer.${phone.slice(-6)}@example.com` : '',
  });
  const area = random.pick(shop.areas);
  const directions = random.pick(DIRECTIONS);
  const locationId = store.insert('customer_location', { customer_id: customerId, area_id: area.id, directions });
  const destination = { customerId, locationId, district: area.district };
  shop.destinations.push(destination);
  return destination;
}

/** A phone number that no customer of the merchant has. The multiplier visits every six-digit number once. */
function freePhone(store: Store, shop: Shop): string {
  for (let nth = shop.destinations.length + 1; ; nth++) {
    const phone = `+96170${String((nth * 48_271) % 999_983).padStart(6, '0')}`;
    if (!store.get('select 1 from customer where merchant_id = ? and phone_number = ?', shop.id, phone)) return phone;
  }
}

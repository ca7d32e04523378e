import type { Units } from '../../money/index.ts';
import type { Random } from '../random.ts';
import { type AmountUnits, quoteFee } from '../rates.ts';
import { newOrderId } from '../store/order-id.ts';
import type { Store } from '../store/store.ts';
import type { Destination, Shop } from './shop.ts';
import { DIRECTIONS, GOODS, NAMES_ARABIC, NAMES_LATIN, NAMES_WITH_EMOJI, NOTES, RETURN_REASONS } from './words.ts';

/** Places one order of a simulated customer, new or known. @returns its id and row number */
export function placeOrder(store: Store, shop: Shop, random: Random, at: string): { orderId: string; seq: number } {
  const destination = chooseDestination(store, shop, random);
  const workflow = random.chance(0.04) ? 'RETURN' : 'STANDARD';
  const cod = workflow === 'RETURN' ? [{ currency: 'USD', units: 0n }] : askPrice(random);
  return insertOrder(store, {
    shop,
    destination,
    workflow,
    isExchange: workflow === 'STANDARD' && random.chance(0.04),
    cod,
    random,
    at,
  });
}

/** Writes an order with its money, its first statestamp and its line items. */
export function insertOrder(
  store: Store,
  order: {
    shop: Shop;
    destination: Destination;
    workflow: 'STANDARD' | 'RETURN';
    isExchange: boolean;
    cod: readonly AmountUnits[];
    random: Random;
    at: string;
  },
): { orderId: string; seq: number } {
  const { shop, destination, workflow, cod, random, at } = order;
  const seq = (store.get<{ last: number | null }>('select max(seq) as last from delivery_order')?.last ?? 0) + 1;
  const orderId = newOrderId((limit) => random.int(0, limit - 1));
  const items = random.int(1, 3);
  store.run(
    `insert into delivery_order
       (seq, order_id, merchant_id, created_at, reference_id, is_exchange, workflow, is_critical, merchant_location, customer_id,
        customer_location_id, number_of_packages, description, notes, return_reason, source_url, delivery_state, payment_state)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'CREATED', 'UNPAID')`,
    seq,
    orderId,
    shop.id,
    at,
    referenceOf(seq, random),
    order.isExchange ? 1 : 0,
    workflow,
    random.chance(0.05) ? 1 : 0,
    random.pick(shop.pickupIds),
    destination.customerId,
    destination.locationId,
    random.chance(0.85) ? 1 : random.int(2, 4),
    `${items} × ${random.pick(GOODS)[0]}`,
    random.pick(NOTES),
    workflow === 'RETURN' ? random.pick(RETURN_REASONS) : '',
    random.chance(0.4) ? `https://shop.example.com/admin/orders/${seq}` : '',
  );
  store.run(
    `insert into statestamp (order_id, position, delivery_state, payment_state, stamped_at) values (?, 0, 'CREATED', 'UNPAID', ?)`,
    orderId,
    at,
  );
  insertMoney(store, orderId, cod, quoteFee({ workflow, district: destination.district, date: at, cod }));
  if (random.chance(0.4)) insertItems(store, orderId, items, random);
  return { orderId, seq };
}

/** The shop's own number in the forms that shops use, one in twelve of them absent. The row number keeps each unique. */
function referenceOf(seq: number, random: Random): string {
  return random.pick([
    '',
    ...[`#${seq}`, `#${seq}`, `#${seq}`, `#${seq}`],
    ...[`SO-2026-${seq}`, `SO-2026-${seq}`, `SO-2026-${seq}`],
    ...[String(seq).padStart(8, '0'), String(seq).padStart(8, '0'), String(seq).padStart(8, '0')],
    `طلب-${seq}`,
  ]);
}

function insertMoney(store: Store, orderId: string, cod: readonly AmountUnits[], fee: readonly AmountUnits[]): void {
  const currencies = new Set([...cod, ...fee].map(({ currency }) => currency));
  const unitsOf = (list: readonly AmountUnits[], currency: string): Units | null =>
    list.find((amount) => amount.currency === currency)?.units ?? null;
  let position = 0;
  for (const currency of currencies) {
    store.run(
      'insert into order_money (order_id, position, currency, cod, delivery_fee) values (?, ?, ?, ?, ?)',
      orderId,
      position,
      currency,
      unitsOf(cod, currency),
      unitsOf(fee, currency),
    );
    position += 1;
  }
}

/** What the customer is asked to pay: in dollars, in pounds, in both, or nothing because it was paid online. */
function askPrice(random: Random): AmountUnits[] {
  const cents = random.int(4, 140) * 100 + random.pick([0, 0, 25, 50, 75, 90, 99]);
  const usd = { currency: 'USD', units: BigInt(cents) * 100n };
  const lbp = { currency: 'LBP', units: BigInt(random.int(9, 180)) * 50_000n * 10_000n };
  const kind = random.next();
  if (kind < 0.5) return [usd];
  if (kind < 0.75) return [lbp];
  if (kind < 0.9) return [usd, lbp];
  if (kind < 0.97) return [{ currency: 'USD', units: 0n }];
  return [];
}

function insertItems(store: Store, orderId: string, count: number, random: Random): void {
  for (let position = 0; position < count; position++) {
    const [name, cents] = random.pick(GOODS);
    store.run(
      `insert into integration_item (order_id, position, name, quantity, price, currency) values (?, ?, ?, ?, ?, 'USD')`,
      orderId,
      position,
      name,
      random.int(1, 3),
      BigInt(cents) * 100n,
    );
  }
}

/** A known customer, or more rarely a new one with a location of their own. */
function chooseDestination(store: Store, shop: Shop, random: Random): Destination {
  if (shop.destinations.length > 20 && !random.chance(0.35)) return random.pick(shop.destinations);
  const phone = freePhone(store, shop);
  const name = random.chance(0.08)
    ? random.pick(NAMES_WITH_EMOJI)
    : random.pick(random.chance(0.45) ? NAMES_ARABIC : NAMES_LATIN);
  const customerId = store.run(
    'insert into customer (merchant_id, name, phone_number, secondary_phone_number, email) values (?, ?, ?, ?, ?)',
    shop.id,
    name,
    phone,
    random.chance(0.15) ? `+9613${random.int(100_000, 999_999)}` : random.pick([null, '']),
    random.chance(0.3) ? `customer.${phone.slice(-6)}@example.com` : '',
  );
  const area = random.pick(shop.areas);
  const locationId = store.run(
    'insert into customer_location (customer_id, area_id, directions) values (?, ?, ?)',
    customerId,
    area.id,
    random.pick(DIRECTIONS),
  );
  const destination = { customerId, locationId, district: area.district };
  shop.destinations.push(destination);
  return destination;
}

/** A phone number that the merchant has no customer for: a walk through the six-digit numbers that meets each of them once. */
function freePhone(store: Store, shop: Shop): string {
  for (let nth = shop.destinations.length + 1; ; nth++) {
    const phone = `+96170${String((nth * 48_271) % 999_983).padStart(6, '0')}`;
    if (!store.get('select 1 from customer where merchant_id = ? and phone_number = ?', shop.id, phone)) return phone;
  }
}

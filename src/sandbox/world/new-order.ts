import { readReturns } from '../operator/returns.ts';
import { type Random, seededRandom } from '../random.ts';
import type { AmountUnits } from '../rules/rate-card.ts';
import { insertOrder } from '../store/insert-order.ts';
import type { Store } from '../store/store.ts';
import type { Destination, Shop } from './shop.ts';
import {
  DIRECTIONS,
  GOODS,
  NAMES_ARABIC,
  NAMES_LATIN,
  NAMES_WITH_EMOJI,
  NOTES,
  RETURN_REASONS,
  references,
} from './words.ts';

/** Places one order of a new or known customer. @returns its id */
export function placeOrder(store: Store, shop: Shop, random: Random, at: string): string {
  const destination = chooseDestination(store, shop, random);
  const workflow = random.chance(0.04) ? 'RETURN' : 'STANDARD';
  const next = (store.get<{ last: number | null }>('select max(seq) as last from delivery_order')?.last ?? 0) + 1;
  const items = random.int(1, 3);
  const { orderId } = insertOrder(
    store,
    {
      merchant: shop.id,
      pickupLocation: random.pick(shop.pickupIds),
      customer: destination.customerId,
      customerLocation: destination.locationId,
      district: destination.district,
      workflow,
      cod: workflow === 'RETURN' ? returnPrice(store, next) : askPrice(random),
      referenceId: random.pick(references(next)),
      isExchange: workflow === 'STANDARD' && random.chance(0.04),
      isCritical: random.chance(0.05),
      packages: random.chance(0.85) ? 1 : random.int(2, 4),
      description: `${items} × ${random.pick(GOODS)[0]}`,
      notes: random.pick(NOTES),
      returnReason: workflow === 'RETURN' ? random.pick(RETURN_REASONS) : '',
      sourceUrl: random.chance(0.4) ? `https://shop.example.com/admin/orders/${next}` : '',
    },
    at,
    (limit) => random.int(0, limit - 1),
  );
  if (random.chance(0.4)) insertItems(store, orderId, items, random);
  return orderId;
}

/** The COD: in dollars, in pounds, in both, or nothing because it was paid online. */
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

/**
 * What the merchant pays on a return: a negative COD where the company adds up rows as they are stated. It is drawn from the
 * order's number alone, so that a world is the same but for its returns whichever convention holds.
 */
function returnPrice(store: Store, seq: number): AmountUnits[] {
  const returns = readReturns(store);
  if (!returns) return [{ currency: 'USD', units: 0n }];
  const random = seededRandom(`return/${seq}`);
  const units = BigInt(random.int(5, 45)) * 10_000n + random.pick([0n, 2_500n, 5_000n]);
  return [{ currency: 'USD', units: returns.rule === 'as-stated' ? -units : units }];
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

/** A known customer, or less often a new one with a new location. */
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

/** A phone number that no customer of the merchant has. The multiplier visits every six-digit number once. */
function freePhone(store: Store, shop: Shop): string {
  for (let nth = shop.destinations.length + 1; ; nth++) {
    const phone = `+96170${String((nth * 48_271) % 999_983).padStart(6, '0')}`;
    if (!store.get('select 1 from customer where merchant_id = ? and phone_number = ?', shop.id, phone)) return phone;
  }
}

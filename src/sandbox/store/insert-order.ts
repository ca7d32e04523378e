import { randomInt } from 'node:crypto';
import type { OrderCreate } from '../../api/wire.ts';
import { type AmountUnits, quoteFee } from '../rules/rate-card.ts';
import type { Store } from './store.ts';

type Described = 'reference_id' | 'number_of_packages' | 'description' | 'notes' | 'return_reason';

/** A new order whose customer and location exist. */
export interface NewOrder extends Pick<OrderCreate, Described | 'is_exchange' | 'is_critical'> {
  merchant: number;
  pickupLocation: number;
  customer: number;
  customerLocation: number;
  /** The district of the customer's location, which decides the fee. */
  district: string;
  workflow: 'STANDARD' | 'RETURN';
  cod: readonly AmountUnits[];
  source_url?: string;
}

/**
 * Writes a new order, CREATED and UNPAID, with its statestamp, its COD and the fee of the rate card. Call it within
 * `store.write`.
 *
 * @param at the moment, as `timestamp()` writes it
 * @param randomBelow draws a whole number from 0 up to, but not including, its argument, for the order's id
 */
export function insertOrder(store: Store, order: NewOrder, at: string, randomBelow?: (limit: number) => number) {
  const orderId = freeOrderId(store, randomBelow);
  store.run(
    `insert into delivery_order
       (order_id, merchant_id, created_at, reference_id, is_exchange, workflow, is_critical, merchant_location, customer_id,
        customer_location_id, number_of_packages, description, notes, return_reason, source_url, delivery_state, payment_state)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'CREATED', 'UNPAID')`,
    orderId,
    order.merchant,
    at,
    order.reference_id ?? '',
    order.is_exchange ? 1 : 0,
    order.workflow,
    order.is_critical ? 1 : 0,
    order.pickupLocation,
    order.customer,
    order.customerLocation,
    order.number_of_packages ?? 1,
    order.description ?? '',
    order.notes ?? '',
    order.return_reason ?? '',
    order.source_url ?? '',
  );
  store.run(
    `insert into statestamp (order_id, position, delivery_state, payment_state, stamped_at)
     values (?, 0, 'CREATED', 'UNPAID', ?)`,
    [orderId, at],
  );
  const { workflow, district, cod } = order;
  insertMoney(store, orderId, cod, quoteFee({ workflow, district, date: at }));
  return { orderId };
}

function freeOrderId(store: Store, randomBelow?: (limit: number) => number): string {
  for (;;) {
    const id = newOrderId(randomBelow);
    if (!store.get('select 1 from delivery_order where order_id = ?', id)) return id;
  }
}

/** Writes a row per currency: first those of the COD, in their order, then those of the fee alone. */
function insertMoney(store: Store, orderId: string, cod: readonly AmountUnits[], fee: readonly AmountUnits[]): void {
  const unitsOf = (amounts: readonly AmountUnits[], currency: string) =>
    amounts.find((amount) => amount.currency === currency)?.units ?? null;
  const currencies = [...new Set([...cod, ...fee].map(({ currency }) => currency))];
  const sql = 'insert into order_money (order_id, position, currency, cod, delivery_fee) values (?, ?, ?, ?, ?)';
  for (const [position, currency] of currencies.entries()) {
    store.run(sql, orderId, position, currency, unitsOf(cod, currency), unitsOf(fee, currency));
  }
}

/** Digits and capital letters, without those that look alike (0 O, 1 I L, U V). */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTWXYZ';
const LENGTH = 10;

/** A new order id: short enough for the telephone, and one of 4 × 10^14, so that it cannot be guessed. */
function newOrderId(randomBelow: (limit: number) => number = randomInt): string {
  let id = '';
  while (id.length < LENGTH) id += ALPHABET[randomBelow(ALPHABET.length)];
  return id;
}

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

/** Draws a whole number from 0 up to, but not including, the limit. */
type RandomBelow = (limit: number) => number;

/**
 * Writes a new order, CREATED and UNPAID, with its statestamp, its COD and the fee of the rate card. Call it within
 * `store.write`.
 *
 * @param at the moment, as `timestamp()` writes it
 * @param randomBelow for the order's id
 * @returns the order's id
 */
export function insertOrder(store: Store, order: NewOrder, at: string, randomBelow: RandomBelow = randomInt): string {
  const orderId = newOrderId(store, randomBelow);
  const states = { delivery_state: 'CREATED', payment_state: 'UNPAID' };
  store.insert('delivery_order', {
    order_id: orderId,
    merchant_id: order.merchant,
    created_at: at,
    reference_id: order.reference_id ?? '',
    is_exchange: order.is_exchange ? 1 : 0,
    workflow: order.workflow,
    is_critical: order.is_critical ? 1 : 0,
    merchant_location: order.pickupLocation,
    customer_id: order.customer,
    customer_location_id: order.customerLocation,
    number_of_packages: order.number_of_packages ?? 1,
    description: order.description ?? '',
    notes: order.notes ?? '',
    return_reason: order.return_reason ?? '',
    source_url: order.source_url ?? '',
    ...states,
  });
  store.insert('statestamp', { order_id: orderId, position: 0, ...states, stamped_at: at });
  const { workflow, district, cod } = order;
  insertMoney(store, orderId, cod, quoteFee({ workflow, district, date: at }));
  return orderId;
}

/** Writes a row per currency: first those of the COD, in their order, then those of the fee alone. */
function insertMoney(store: Store, orderId: string, cod: readonly AmountUnits[], fee: readonly AmountUnits[]): void {
  const unitsOf = (amounts: readonly AmountUnits[], currency: string) =>
    amounts.find((amount) => amount.currency === currency)?.units ?? null;
  const currencies = [...new Set([...cod, ...fee].map(({ currency }) => currency))];
  for (const [position, currency] of currencies.entries()) {
    const money = { cod: unitsOf(cod, currency), delivery_fee: unitsOf(fee, currency) };
    store.insert('order_money', { order_id: orderId, position, currency, ...money });
  }
}

/** Digits and capital letters, without those that look alike (0 O, 1 I L, U V). */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTWXYZ';
const LENGTH = 10;

/** An id that no order has: short enough for the telephone, and one of 4 × 10^14, so that it cannot be guessed. */
function newOrderId(store: Store, randomBelow: RandomBelow): string {
  for (;;) {
    let id = '';
    while (id.length < LENGTH) id += ALPHABET[randomBelow(ALPHABET.length)];
    if (!store.get('select 1 from delivery_order where order_id = ?', id)) return id;
  }
}

import { isDelivered } from '../../base/states.ts';
import { ServiceError } from '../http/errors.ts';
import type { OrderRow } from '../store/rows.ts';
import { changeStates, type PaymentState } from '../store/states.ts';
import type { Store } from '../store/store.ts';

/**
 * The merchant's `request-pickup`: CREATED becomes PICKUP_REQUESTED (spec, 'States and transitions'). Only within
 * `store.write`, where the order was read.
 *
 * @throws ServiceError 400 from any other state
 */
export function requestPickup(store: Store, order: OrderRow, at: string): void {
  if (order.delivery_state !== 'CREATED') {
    throw refusal(`Pickup can be requested only for an order in CREATED; this one is ${order.delivery_state}.`);
  }
  move(store, order, 'PICKUP_REQUESTED', at);
}

/**
 * The merchant's `cancel`. Refused for an order that is delivered or billed; cancelling again changes
 * nothing. Only within `store.write`, where the order was read.
 *
 * @throws ServiceError 400 when it is refused
 */
export function cancelOrder(store: Store, order: OrderRow, at: string): void {
  if (isDelivered(order.delivery_state)) {
    throw refusal('Delivered orders cannot be cancelled.');
  }
  if (order.merchant_invoice !== null) throw refusal('Invoiced orders cannot be cancelled.');
  if (order.delivery_state !== 'CANCELLED') move(store, order, 'CANCELLED', at);
}

const refusal = (reason: string) => new ServiceError(400, `delivery_state: ${reason}`);

function move(store: Store, order: OrderRow, delivery_state: 'PICKUP_REQUESTED' | 'CANCELLED', at: string): void {
  changeStates(store, order.order_id, { delivery_state, payment_state: order.payment_state as PaymentState }, at);
}

import type { DELIVERY_STATES, PAYMENT_STATES } from '../../api/wire.ts';
import type { Store } from './store.ts';

export type DeliveryState = (typeof DELIVERY_STATES)[number];
export type PaymentState = (typeof PAYMENT_STATES)[number];

export interface States {
  delivery_state: DeliveryState;
  payment_state: PaymentState;
}

/**
 * Sets an order's states and stamps the change. Call it within the `store.write` in which the earlier states were read.
 *
 * @param at the moment, as `timestamp()` writes it; a stamp is never earlier than the one before it
 */
export function changeStates(store: Store, orderId: string, states: States, at: string): void {
  const { delivery_state, payment_state } = states;
  const update = 'update delivery_order set delivery_state = ?, payment_state = ? where order_id = ?';
  store.run(update, delivery_state, payment_state, orderId);
  store.run(
    `insert into statestamp (order_id, position, delivery_state, payment_state, stamped_at)
     select order_id, position + 1, ?, ?, max(stamped_at, ?) from statestamp
     where order_id = ? order by position desc limit 1`,
    [delivery_state, payment_state, at, orderId],
  );
}

/** The moment of the latest event, as `timestamp()` writes it; undefined in a service without orders or invoices. */
export function latestEvent(store: Store): string | undefined {
  const row = store.get<{ at: string | null }>(
    `select max(at) as at from (
       select max(stamped_at) as at from statestamp
       union all select max(issued_at) from invoice
       union all select max(paid_at) from invoice)`,
  );
  return row?.at ?? undefined;
}

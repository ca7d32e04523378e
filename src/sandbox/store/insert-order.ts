import { type AmountUnits, quoteFee } from '../rates.ts';
import { newOrderId } from './order-id.ts';
import type { Store } from './store.ts';

/** A new order whose customer and location exist. */
export interface NewOrder {
  merchant: number;
  pickupLocation: number;
  customer: number;
  customerLocation: number;
  /** The district of the customer's location, by which the delivery is priced. */
  district: string;
  workflow: 'STANDARD' | 'RETURN';
  cod: readonly AmountUnits[];
  referenceId?: string | undefined;
  isExchange?: boolean | undefined;
  isCritical?: boolean | undefined;
  packages?: number | undefined;
  description?: string | undefined;
  notes?: string | undefined;
  returnReason?: string | undefined;
  sourceUrl?: string | undefined;
}

/**
 * Writes an order in its first states, CREATED and UNPAID, with its statestamp, its COD and the fee of the rate card.
 * Only within `store.write`.
 *
 * @param at the moment, as `timestamp()` writes it
 * @param below the chance behind the order's id; see `newOrderId`
 * @returns the order's id and row number
 */
export function insertOrder(
  store: Store,
  order: NewOrder,
  at: string,
  below?: (limit: number) => number,
): { orderId: string; seq: number } {
  const orderId = freeOrderId(store, below);
  const seq = store.run(
    `insert into delivery_order
       (order_id, merchant_id, created_at, reference_id, is_exchange, workflow, is_critical, merchant_location, customer_id,
        customer_location_id, number_of_packages, description, notes, return_reason, source_url, delivery_state, payment_state)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'CREATED', 'UNPAID')`,
    orderId,
    order.merchant,
    at,
    order.referenceId ?? '',
    order.isExchange ? 1 : 0,
    order.workflow,
    order.isCritical ? 1 : 0,
    order.pickupLocation,
    order.customer,
    order.customerLocation,
    order.packages ?? 1,
    order.description ?? '',
    order.notes ?? '',
    order.returnReason ?? '',
    order.sourceUrl ?? '',
  );
  store.run(
    `insert into statestamp (order_id, position, delivery_state, payment_state, stamped_at)
     values (?, 0, 'CREATED', 'UNPAID', ?)`,
    orderId,
    at,
  );
  const { workflow, district, cod } = order;
  insertMoney(store, orderId, cod, quoteFee({ workflow, district, date: at }));
  return { orderId, seq };
}

function freeOrderId(store: Store, below?: (limit: number) => number): string {
  for (;;) {
    const id = newOrderId(below);
    if (!store.get('select 1 from delivery_order where order_id = ?', id)) return id;
  }
}

/** One row a currency: those of the COD in their order, then those that only the fee has. */
function insertMoney(store: Store, orderId: string, cod: readonly AmountUnits[], fee: readonly AmountUnits[]): void {
  const unitsOf = (amounts: readonly AmountUnits[], currency: string) =>
    amounts.find((amount) => amount.currency === currency)?.units ?? null;
  const currencies = [...new Set([...cod, ...fee].map(({ currency }) => currency))];
  for (const [position, currency] of currencies.entries()) {
    store.run(
      'insert into order_money (order_id, position, currency, cod, delivery_fee) values (?, ?, ?, ?, ?)',
      orderId,
      position,
      currency,
      unitsOf(cod, currency),
      unitsOf(fee, currency),
    );
  }
}

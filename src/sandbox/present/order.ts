import type { Order } from '../../api/wire.ts';
import type { IntegrationItemRow, OrderMoneyRow, OrderRow, StatestampRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { presentCustomer, presentLocations, readCustomers } from './customer.ts';
import { formatUnits, moneyField } from './money.ts';

/** Orders of one merchant that its order book shows, newest first. */
export function readOrders(store: Store, merchant: number, limit: number, offset: number): OrderRow[] {
  return store.all<OrderRow>(
    `select * from delivery_order where seq in (
       select seq from delivery_order where merchant_id = ? and hidden = 0 order by created_at desc, seq desc limit ? offset ?)
     order by created_at desc, seq desc`,
    merchant,
    limit,
    offset,
  );
}

/** One order of a merchant's order book; undefined also where it is another's or hidden. */
export function readOrder(store: Store, merchant: number, orderId: string): OrderRow | undefined {
  return store.get<OrderRow>(
    'select * from delivery_order where order_id = ? and merchant_id = ? and hidden = 0',
    orderId,
    merchant,
  );
}

/** One order as it travels; see {@link presentOrders}. */
export function presentOrder(store: Store, row: OrderRow, origin: string): Order {
  return presentOrders(store, [row], origin)[0]!;
}

/**
 * Orders as they travel (spec, 'Order'). What belongs to them is read for all at once: a statement an order would take most of the time
 * of a page.
 *
 * @param origin where the service was reached: the orders' links lead there
 */
export function presentOrders(store: Store, rows: readonly OrderRow[], origin: string): Order[] {
  const ids = rows.map(({ order_id }) => order_id);
  const money = store.byKey<string, Pick<OrderMoneyRow, 'currency' | 'cod' | 'delivery_fee'>>(
    `select order_id as key, currency, cast(cod as text) as cod, cast(delivery_fee as text) as delivery_fee
     from order_money where order_id in (select value from json_each(?)) order by order_id, position`,
    ids,
  );
  const items = store.byKey<string, Omit<IntegrationItemRow, 'order_id' | 'position'>>(
    `select order_id as key, name, quantity, cast(price as text) as price, currency, image_url, source_url
     from integration_item where order_id in (select value from json_each(?)) order by order_id, position`,
    ids,
  );
  const stamps = store.byKey<string, Pick<StatestampRow, 'delivery_state' | 'payment_state'> & { timestamp: string }>(
    `select order_id as key, delivery_state, payment_state, stamped_at as timestamp
     from statestamp where order_id in (select value from json_each(?)) order by order_id, position`,
    ids,
  );
  const customers = readCustomers(store, [...new Set(rows.map(({ customer_id }) => customer_id))]);
  const places = [...new Set(rows.map(({ customer_location_id }) => customer_location_id))];
  const locations = presentLocations(store, places);
  return rows.map((row) => {
    const id = row.order_id;
    const amounts = money.get(id)!;
    return {
      order_id: id,
      reference_id: row.reference_id,
      is_exchange: row.is_exchange === 1,
      workflow: row.workflow,
      tracking_link: `${origin}/track/${id}/`,
      order_url: `${origin}/dashboard/orders/${id}/`,
      is_critical: row.is_critical === 1,
      merchant_location: row.merchant_location,
      cod: moneyField(amounts, 'cod'),
      delivery_fee: moneyField(amounts, 'delivery_fee'),
      number_of_packages: row.number_of_packages,
      description: row.description,
      notes: row.notes,
      return_reason: row.return_reason,
      delivery_state: row.delivery_state,
      payment_state: row.payment_state,
      merchant_invoice: row.merchant_invoice,
      integration_items: items.get(id)!.map((item) => ({ ...item, price: formatUnits(item.price) })),
      source_url: row.source_url,
      statestamps: stamps.get(id)!,
      customer: presentCustomer(customers.get(row.customer_id)!),
      customer_location: locations.get(row.customer_location_id)!,
    };
  });
}

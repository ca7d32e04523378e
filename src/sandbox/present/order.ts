import type { Order } from '../../api/wire.ts';
import type {
  CustomerLocationRow,
  CustomerRow,
  IntegrationItemRow,
  OrderMoneyRow,
  OrderRow,
  StatestampRow,
} from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { presentCustomer, presentLocation } from './customer.ts';
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

/**
 * An order as it travels (spec, 'Order').
 *
 * @param origin where the service was reached: the order's links lead there
 */
export function presentOrder(store: Store, row: OrderRow, origin: string): Order {
  const id = row.order_id;
  const money = store.all<OrderMoneyRow>(
    `select currency, cast(cod as text) as cod, cast(delivery_fee as text) as delivery_fee
     from order_money where order_id = ? order by position`,
    id,
  );
  const items = store.all<IntegrationItemRow>(
    `select name, quantity, cast(price as text) as price, currency, image_url, source_url
     from integration_item where order_id = ? order by position`,
    id,
  );
  const customer = store.get<CustomerRow>('select * from customer where id = ?', row.customer_id) as CustomerRow;
  const location = store.get<CustomerLocationRow>(
    'select * from customer_location where id = ?',
    row.customer_location_id,
  ) as CustomerLocationRow;
  return {
    order_id: id,
    reference_id: row.reference_id,
    is_exchange: row.is_exchange === 1,
    workflow: row.workflow,
    tracking_link: `${origin}/track/${id}/`,
    order_url: `${origin}/dashboard/orders/${id}/`,
    is_critical: row.is_critical === 1,
    merchant_location: row.merchant_location,
    cod: moneyField(money, 'cod'),
    delivery_fee: moneyField(money, 'delivery_fee'),
    number_of_packages: row.number_of_packages,
    description: row.description,
    notes: row.notes,
    return_reason: row.return_reason,
    delivery_state: row.delivery_state,
    payment_state: row.payment_state,
    merchant_invoice: row.merchant_invoice,
    integration_items: items.map((item) => ({ ...item, price: formatUnits(item.price) })),
    source_url: row.source_url,
    statestamps: store.all<Pick<StatestampRow, 'delivery_state' | 'payment_state'> & { timestamp: string }>(
      `select delivery_state, payment_state, stamped_at as timestamp from statestamp where order_id = ? order by position`,
      id,
    ),
    customer: presentCustomer(customer),
    customer_location: presentLocation(store, location),
  };
}

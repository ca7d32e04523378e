import type { IntegrationItem, Order, Statestamp } from '../../api/wire.ts';
import { ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../money/fields.ts';
import { formatUnits } from '../../money/units.ts';
import { notFound } from '../http/errors.ts';
import type { PagedList } from '../http/shapes.ts';
import { cancelOrder, createOrder, requestPickup } from '../rules/order.ts';
import type { CustomerLocationRow, CustomerRow, OrderRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { presentCustomer } from './customers.ts';
import { type Call, type Handlers, type MoneyRow, moneyFields, pagedRows, unitsTexts } from './handler.ts';
import { presentLocation } from './locations.ts';

export const orderHandlers = {
  orders: ({ store, merchant, origin }) => listOrders(store, merchant, origin),
  createOrder: (call) => answer(call, createOrder(call.store, call.merchant, call.body, call.at)),
  order: (call) => answer(call),
  requestPickup: (call) => {
    requestPickup(call.store, find(call), call.at);
    return answer(call);
  },
  cancelOrder: (call) => {
    cancelOrder(call.store, find(call), call.at);
    return answer(call);
  },
} satisfies Pick<Handlers, 'orders' | 'createOrder' | 'order' | 'requestPickup' | 'cancelOrder'>;

/** An order of the merchant's order book, which does not have other merchants' orders, nor hidden ones. */
function find({ store, merchant, params }: Call, orderId = params.order_id ?? ''): OrderRow {
  const sql = 'select * from delivery_order where order_id = ? and merchant_id = ? and hidden = 0';
  const row = store.get<OrderRow>(sql, orderId, merchant);
  if (!row) throw notFound('Order');
  return row;
}

function answer(call: Call, orderId?: string): Order {
  return presentOrder(call.store, find(call, orderId), call.origin);
}

/** The orders of a merchant's order book, newest first. */
export function listOrders(store: Store, merchant: number, origin: string): PagedList<Order> {
  const present = (row: OrderRow) => presentOrder(store, row, origin);
  const book = 'delivery_order where merchant_id = ? and hidden = 0';
  return pagedRows(store, book, [merchant], 'created_at desc, seq desc', present);
}

/**
 * An order (spec, 'Order').
 *
 * @param origin the beginning of the order's links, such as `http://127.0.0.1:8080`
 */
export function presentOrder(store: Store, row: OrderRow, origin: string): Order {
  const id = row.order_id;
  const money = store.all<MoneyRow<OrderMoneyField>>(
    `select currency, ${unitsTexts(ORDER_MONEY_FIELDS)} from order_money where order_id = ? order by position`,
    id,
  );
  const items = store.all<IntegrationItem>(
    `select name, quantity, cast(price as text) as price, currency, image_url, source_url
     from integration_item where order_id = ? order by position`,
    id,
  );
  const statestamps = store.all<Statestamp>(
    `select delivery_state, payment_state, stamped_at as timestamp
     from statestamp where order_id = ? order by position`,
    id,
  );
  const customer = store.get<CustomerRow>('select * from customer where id = ?', row.customer_id)!;
  const locationId = row.customer_location_id;
  const location = store.get<CustomerLocationRow>('select * from customer_location where id = ?', locationId)!;
  return {
    order_id: id,
    reference_id: row.reference_id,
    is_exchange: row.is_exchange === 1,
    workflow: row.workflow,
    tracking_link: `${origin}/track/${id}/`,
    order_url: `${origin}/dashboard/orders/${id}/`,
    is_critical: row.is_critical === 1,
    merchant_location: row.merchant_location,
    ...moneyFields(ORDER_MONEY_FIELDS, money),
    number_of_packages: row.number_of_packages,
    description: row.description,
    notes: row.notes,
    return_reason: row.return_reason,
    delivery_state: row.delivery_state,
    payment_state: row.payment_state,
    merchant_invoice: row.merchant_invoice,
    integration_items: items.map((item) => ({ ...item, price: formatUnits(BigInt(item.price)) })),
    source_url: row.source_url,
    statestamps,
    customer: presentCustomer(customer),
    customer_location: presentLocation(store, location),
  };
}

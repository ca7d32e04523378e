import type { Order } from '../../api/wire.ts';
import { notFound } from '../http/errors.ts';
import { readyOrder, readyOrders } from '../present/bodies.ts';
import { presentOrder, readOrder } from '../present/order.ts';
import { cancelOrder, requestPickup } from '../rules/merchant-moves.ts';
import { createOrder } from '../rules/order.ts';
import type { OrderRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { Call, Handlers } from './handler.ts';

export const orderHandlers = {
  orders: ({ store, merchant, origin }) => ({
    count: countOrders(store, merchant),
    slice: (limit, offset) => readyOrders(store, merchant, limit, offset, origin),
  }),
  createOrder: (call) => answer(call, createOrder(call.store, call.merchant, call.body, call.at)),
  order: ({ store, merchant, origin, params }) => {
    const order = readyOrder(store, merchant, params.order_id ?? '', origin);
    if (!order) throw notFound('Order');
    return order;
  },
  requestPickup: (call) => moved(call, requestPickup),
  cancelOrder: (call) => moved(call, cancelOrder),
} satisfies Pick<Handlers, 'orders' | 'createOrder' | 'order' | 'requestPickup' | 'cancelOrder'>;

function countOrders(store: Store, merchant: number): number {
  return store.get<{ order_count: number }>('select order_count from merchant where id = ?', merchant)!.order_count;
}

function find({ store, merchant }: Call, orderId: string): OrderRow {
  const row = readOrder(store, merchant, orderId);
  if (!row) throw notFound('Order');
  return row;
}

function answer(call: Call, orderId: string): Order {
  return presentOrder(call.store, find(call, orderId), call.origin);
}

function moved(call: Call, move: (store: Store, order: OrderRow, at: string) => void): Order {
  const orderId = call.params.order_id ?? '';
  return call.store.write(() => {
    move(call.store, find(call, orderId), call.at);
    return answer(call, orderId);
  });
}

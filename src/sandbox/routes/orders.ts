import { Order, OrderCreate } from '../../api/wire.ts';
import { notFound } from '../http/errors.ts';
import { presentOrder, readOrder, readOrders } from '../present/order.ts';
import { cancelOrder, requestPickup } from '../rules/merchant-moves.ts';
import { createOrder } from '../rules/order.ts';
import type { OrderRow } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import { type Call, operation } from './operation.ts';
import { paged } from './paged.ts';

export const orderOperations = [
  operation({
    id: 'orders',
    method: 'GET',
    path: '/orders/',
    summary: 'List the orders, newest first',
    query: paged(),
    answers: 'page',
    schema: Order,
    handle: ({ store, merchant, origin }) => ({
      count: countOrders(store, merchant),
      slice: (limit, offset) =>
        readOrders(store, merchant, limit, offset).map((row) => presentOrder(store, row, origin)),
    }),
  }),
  operation({
    id: 'createOrder',
    method: 'POST',
    path: '/orders/',
    summary: 'Create an order',
    body: OrderCreate,
    status: 201,
    answers: 'one',
    schema: Order,
    handle: (call) => answer(call, createOrder(call.store, call.merchant, call.body, call.at)),
  }),
  operation({
    id: 'order',
    method: 'GET',
    path: '/orders/{order_id}/',
    summary: 'Retrieve an order',
    answers: 'one',
    schema: Order,
    handle: (call) => answer(call, call.params.order_id ?? ''),
  }),
  operation({
    id: 'requestPickup',
    method: 'POST',
    path: '/orders/{order_id}/request-pickup/',
    summary: 'Request the pickup of an order in CREATED',
    answers: 'one',
    schema: Order,
    handle: (call) => moved(call, requestPickup),
  }),
  operation({
    id: 'cancelOrder',
    method: 'POST',
    path: '/orders/{order_id}/cancel/',
    summary: 'Cancel an order that is not delivered',
    answers: 'one',
    schema: Order,
    handle: (call) => moved(call, cancelOrder),
  }),
];

function countOrders(store: Store, merchant: number): number {
  const counted = store.get<{ n: number }>(
    'select count(*) as n from delivery_order where merchant_id = ? and hidden = 0',
    merchant,
  );
  return counted?.n ?? 0;
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

import { DELIVERY_STATES, type Order } from '../../src/api/wire.ts';
import { timestamp } from '../../src/sandbox/calendar.ts';
import { issueInvoice, payInvoice } from '../../src/sandbox/operator/invoicing.ts';
import { type Move, moveOrder } from '../../src/sandbox/operator/moves.ts';
import { openStore } from '../../src/sandbox/store/open.ts';
import type { Store } from '../../src/sandbox/store/store.ts';
import type { Api } from './api.ts';
import { newOrder } from './makers.ts';
import type { Sandbox } from './server.ts';

export type DeliveryState = (typeof DELIVERY_STATES)[number];

const TO_WAREHOUSE: readonly Move[] = ['assign', 'scan', 'pickup', 'warehouse'];
const TO_ROAD: readonly Move[] = [...TO_WAREHOUSE, 'dispatch'];

/** The operator's moves that take an order for which a pickup was requested to each state. */
const MOVES_TO: Readonly<Partial<Record<DeliveryState, readonly Move[]>>> = {
  PICKUP_REQUESTED: [],
  PICKUP_ASSIGNED: ['assign'],
  SCANNED_FOR_PICKUP: ['assign', 'scan'],
  PICKED_UP: ['assign', 'scan', 'pickup'],
  AT_WAREHOUSE: TO_WAREHOUSE,
  DELIVERY_ASSIGNED: [...TO_WAREHOUSE, 'assign'],
  SCANNED_FOR_DELIVERY: [...TO_WAREHOUSE, 'assign', 'scan'],
  PICKED_UP_FOR_DELIVERY: [...TO_WAREHOUSE, 'assign', 'scan', 'pickup'],
  IN_TRANSIT: TO_ROAD,
  DELIVERED: [...TO_ROAD, 'deliver'],
  AWAITING_RETURN: [...TO_ROAD, 'return'],
  DELIVERED_AT_WAREHOUSE: [...TO_WAREHOUSE, 'handover'],
};

/** Every state but the first, in which a new order stands by itself. */
export const LATER_STATES = DELIVERY_STATES.filter((state) => state !== 'CREATED');

/** Runs the operator's side of the sandbox on its file, while the service runs. */
function operate<T>(api: Api, work: (store: Store, at: string, sandbox: Sandbox) => T): T {
  const { sandbox } = api.target;
  if (sandbox === null) throw new Error('a row that needs the operator ran against a foreign server');
  const store = openStore(sandbox.file, { mustExist: true });
  try {
    return work(store, timestamp(new Date()), sandbox);
  } finally {
    store.close();
  }
}

/** Makes the operator's moves of one order. */
export function move(api: Api, orderId: string, ...moves: readonly Move[]): void {
  operate(api, (store, at) => {
    for (const each of moves) moveOrder(store, orderId, each, at);
  });
}

/** A new order that stands in a state. */
export async function orderIn(
  api: Api,
  state: DeliveryState,
  changes: Parameters<typeof newOrder>[1] = {},
): Promise<Order> {
  const order = await newOrder(api, changes);
  if (state === 'CREATED') return order;
  await api.post(`orders/${order.order_id}/${state === 'CANCELLED' ? 'cancel' : 'request-pickup'}/`);
  move(api, order.order_id, ...(MOVES_TO[state] ?? []));
  return api.read<Order>(`orders/${order.order_id}/`);
}

/** Bills all of the first merchant's orders that are delivered; returns the invoice's number. */
export function bill(api: Api): number {
  return operate(api, (store, at, { merchants }) => issueInvoice(store, merchants[0], at).number);
}

export function pay(api: Api, number: number): void {
  operate(api, (store, at) => payInvoice(store, number, at));
}

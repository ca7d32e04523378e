import { DAY, dayOf } from '../../calendar.ts';
import { changeStates } from '../../store/states.ts';
import type { Store } from '../../store/store.ts';
import { planted } from '../planted.ts';
import { inDollars, worthOfOrder } from '../plants/amounts.ts';
import { makeOrder } from '../plants/make-order.ts';
import { makeMissedOrder } from '../plants/orders.ts';
import type { Targets } from '../plants/targets.ts';
import { type Drift, requireTarget } from './drift.ts';

/** Orders whose records change. None of them is on an invoice. */
export const ORDER_DRIFT: readonly Drift[] = [
  {
    // A parcel that was on the road waits for its pickup again.
    code: 'state-regressed',
    prepare: (targets) => ({ order: makeRecentOrder(targets, 'regressed', 'transit') }),
    strike(store, { order }, at) {
      changeStates(store, requireTarget(order), { delivery_state: 'PICKUP_REQUESTED', payment_state: 'UNPAID' }, at);
      return [planted('state-regressed', { order_id: requireTarget(order) })];
    },
  },
  {
    // Delivered too recently to be late for an invoice; then its COD falls.
    code: 'order-restated',
    prepare: (targets) => ({ order: makeRecentOrder(targets, 'order-restated', 'delivered') }),
    strike(store, { order }) {
      store.run(
        `update order_money set cod = cod - 150000 where order_id = ? and currency = 'USD'`,
        requireTarget(order),
      );
      return [planted('order-restated', { order_id: requireTarget(order), currency: 'USD', field: 'cod' })];
    },
  },
  {
    code: 'order-vanished',
    prepare: (targets) => ({ order: makeRecentOrder(targets, 'order-vanished', 'warehouse') }),
    strike(store, { order }) {
      hide(store, requireTarget(order));
      return [planted('order-vanished', { order_id: requireTarget(order) })];
    },
  },
  {
    // Delivered, never billed, and then gone: checks find both.
    code: 'order-vanished',
    variant: 'delivered and never billed',
    prepare: (targets) => ({ order: makeMissedOrder(targets, 'missed-and-vanished').order_id }),
    foundBefore: (store, { order }) => [
      planted('delivered-not-invoiced', {
        order_id: requireTarget(order),
        ...inDollars(-worthOfOrder(store, requireTarget(order))),
      }),
    ],
    strike(store, { order }) {
      hide(store, requireTarget(order));
      return [planted('order-vanished', { order_id: requireTarget(order) })];
    },
  },
];

/** Makes an order of two days ago. */
function makeRecentOrder(targets: Targets, name: string, outcome: 'warehouse' | 'transit' | 'delivered'): string {
  return makeOrder(targets, { name, day: dayOf(targets.frame.asOf) - 2 * DAY, outcome, cod: 480_000n });
}

function hide(store: Store, order: string): void {
  store.run('update delivery_order set hidden = 1 where order_id = ?', order);
}

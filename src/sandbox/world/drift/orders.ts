import { DAY, dayOf } from '../../calendar.ts';
import { changeStates } from '../../store/states.ts';
import type { Store } from '../../store/store.ts';
import { type Planted, planted } from '../planted.ts';
import { makeOrder } from '../plants/made.ts';
import { missed } from '../plants/orders.ts';
import type { Targets } from '../plants/targets.ts';
import { inDollars, worthOfOrder } from '../plants/worth.ts';

/** What a drift will change: made when the world is planted, and right until then. */
export interface Prepared {
  readonly invoice?: number;
  readonly order?: string;
  readonly month?: string;
}

/** A change of the service between two syncs. */
export interface Drift {
  readonly code: string;
  /** Tells drifts of one code apart; the plainest has none. */
  readonly variant?: string;
  prepare(targets: Targets): Prepared;
  /** What a check finds before the change, because it was wrong from the start. */
  foundBefore?(store: Store, prepared: Prepared): Planted[];
  /** Makes the change. @param at when it happens, as `timestamp()` writes it @returns what a check will find */
  strike(store: Store, prepared: Prepared, at: string): Planted[];
}

/** The part of {@link Prepared} that a drift needs. */
export function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a change was prepared without what it changes');
  return value;
}

/** Orders whose own records change. None of them is on an invoice. */
export const ORDER_DRIFT: readonly Drift[] = [
  {
    // A parcel on the road is waiting for its pickup again.
    code: 'state-regressed',
    prepare: (targets) => ({ order: made(targets, 'regressed', 'transit') }),
    strike(store, { order }, at) {
      changeStates(store, need(order), { delivery_state: 'PICKUP_REQUESTED', payment_state: 'UNPAID' }, at);
      return [planted('state-regressed', { order_id: need(order) })];
    },
  },
  {
    // Delivered too recently to be late for an invoice; then its COD falls.
    code: 'order-restated',
    prepare: (targets) => ({ order: made(targets, 'order-restated', 'delivered') }),
    strike(store, { order }) {
      store.run(`update order_money set cod = cod - 150000 where order_id = ? and currency = 'USD'`, need(order));
      return [planted('order-restated', { order_id: need(order), currency: 'USD', field: 'cod' })];
    },
  },
  {
    code: 'order-vanished',
    prepare: (targets) => ({ order: made(targets, 'order-vanished', 'warehouse') }),
    strike(store, { order }) {
      hide(store, need(order));
      return [planted('order-vanished', { order_id: need(order) })];
    },
  },
  {
    // Delivered, never billed, and then gone. Both are found: the second does not settle the first.
    code: 'order-vanished',
    variant: 'delivered and never billed',
    prepare: (targets) => ({ order: missed(targets, 'missed-and-vanished').order_id }),
    foundBefore: (store, { order }) => [
      planted('delivered-not-invoiced', {
        order_id: need(order),
        ...inDollars(-worthOfOrder(store, need(order))),
      }),
    ],
    strike(store, { order }) {
      hide(store, need(order));
      return [planted('order-vanished', { order_id: need(order) })];
    },
  },
];

/** An order of two days ago. */
function made(targets: Targets, name: string, outcome: 'warehouse' | 'transit' | 'delivered'): string {
  return makeOrder(targets, { name, day: dayOf(targets.frame.asOf) - 2 * DAY, outcome, cod: 480_000n });
}

function hide(store: Store, order: string): void {
  store.run('update delivery_order set hidden = 1 where order_id = ?', order);
}

import { UsageError } from '../../base/errors.ts';
import { DAY, dateText, dayOf } from '../calendar.ts';
import { billOrders, writeHeader } from '../operator/invoicing.ts';
import { changeStates, latestEvent } from '../store/states.ts';
import type { Store } from '../store/store.ts';
import { type Planted, type PlantFilter, planted } from './planted.ts';
import { makeInvoice, makeOrder } from './plants/make-order.ts';
import { makeMissedOrder } from './plants/orders.ts';
import { headerNet, inDollars, type Targets, worthOfOrder } from './plants/targets.ts';

/** The document that a drift will change: made when the world is planted, and right until it drifts. */
interface DriftTarget {
  readonly invoice?: number;
  readonly order?: string;
  readonly month?: string;
}

/** The target as a drift gets it back. A drift reads only the fields that its `prepare` gave. */
type Prepared = Required<DriftTarget>;

/** A change that the courier makes to earlier documents between two syncs, by the code of the check that finds it. */
interface Drift {
  readonly code: string;
  /** Tells apart the drifts of one code; the simplest has none. */
  readonly variant?: string;
  prepare(targets: Targets): DriftTarget;
  /** The mismatches that a check finds even before the change. */
  foundBefore?(store: Store, prepared: Prepared): Planted[];
  /**
   * Makes the change at a moment, as `timestamp()` writes it.
   *
   * @returns what a check will find
   */
  strike(store: Store, prepared: Prepared, at: string): Planted[];
}

/** In the order in which they are prepared and strike. */
const DRIFT: readonly Drift[] = [
  // Invoices whose fee grows afterwards. So that no other check finds anything, it is the fee of an order that awaits
  // its return: a restated record counts only after the delivery.
  {
    code: 'invoice-restated',
    // Without another order the net of the invoice is negative, so that it is never overdue.
    prepare(targets) {
      const order = makeOrder(targets, { name: 'restated', outcome: 'awaiting-return', cod: 0n });
      return { order, invoice: makeInvoice(targets, [order], { paid: false }) };
    },
    strike: restate,
  },
  {
    code: 'invoice-restated',
    variant: 'paid',
    prepare(targets) {
      const order = makeOrder(targets, { name: 'restated-paid', outcome: 'awaiting-return', cod: 0n });
      const unchanged = makeOrder(targets, { name: 'restated-beside', outcome: 'delivered', cod: 330_000n });
      return { order, invoice: makeInvoice(targets, [unchanged, order], { paid: true }) };
    },
    strike: restate,
  },
  // Paid invoices that disappear from list and detail. Their orders no longer name an invoice.
  {
    code: 'invoice-vanished',
    prepare(targets) {
      const orders = ['vanished-1', 'vanished-2'].map((name) =>
        makeOrder(targets, { name, outcome: 'delivered', cod: 240_000n }),
      );
      return { invoice: makeInvoice(targets, orders, { paid: true }) };
    },
    strike(store, { invoice }) {
      removeInvoice(store, invoice);
      return [planted('invoice-vanished', { invoice_number: invoice, ...inDollars(-headerNet(store, invoice)) })];
    },
  },
  {
    code: 'invoice-vanished',
    variant: 'an order of it billed anew',
    prepare(targets) {
      const order = makeOrder(targets, { name: 'billed-anew', outcome: 'delivered', cod: 190_000n });
      const unbilled = makeOrder(targets, { name: 'gone-with-it', outcome: 'delivered', cod: 360_000n });
      return { order, invoice: makeInvoice(targets, [order, unbilled], { paid: true }) };
    },
    strike(store, { invoice, order }, at) {
      const missing = headerNet(store, invoice) - worthOfOrder(store, order);
      removeInvoice(store, invoice);
      const owner = store.get<{ id: number }>('select merchant_id as id from invoice where number = ?', invoice)!;
      const newInvoice = billOrders(store, owner.id, [order], at);
      // Paid at once: the courier had paid this order already.
      store.run(`update invoice set status = 'PAID', paid_at = ? where number = ?`, at, newInvoice.number);
      return [planted('invoice-vanished', { invoice_number: invoice, ...inDollars(-missing) })];
    },
  },
  // Orders whose records change. None of them is on an invoice.
  {
    // A parcel that was on the road waits for its pickup again.
    code: 'state-regressed',
    prepare: (targets) => ({ order: makeRecentOrder(targets, 'regressed', 'transit') }),
    strike(store, { order }, at) {
      changeStates(store, order, { delivery_state: 'PICKUP_REQUESTED', payment_state: 'UNPAID' }, at);
      return [planted('state-regressed', { order_id: order })];
    },
  },
  {
    // Delivered too recently to be late for an invoice; then its COD falls.
    code: 'order-restated',
    prepare: (targets) => ({ order: makeRecentOrder(targets, 'order-restated', 'delivered') }),
    strike(store, { order }) {
      store.run(`update order_money set cod = cod - 150000 where order_id = ? and currency = 'USD'`, order);
      return [planted('order-restated', { order_id: order, currency: 'USD', field: 'cod' })];
    },
  },
  {
    code: 'order-vanished',
    prepare: (targets) => ({ order: makeRecentOrder(targets, 'order-vanished', 'warehouse') }),
    strike: hideOrder,
  },
  {
    // Delivered, never billed, and then gone: checks find both.
    code: 'order-vanished',
    variant: 'delivered and never billed',
    prepare: (targets) => ({ order: makeMissedOrder(targets, 'missed-and-vanished').order_id }),
    foundBefore: (store, { order }) => [
      planted('delivered-not-invoiced', { order_id: order, ...inDollars(-worthOfOrder(store, order)) }),
    ],
    strike: hideOrder,
  },
  // A document that can no longer be read, and a list that is no longer complete.
  {
    code: 'document-malformed',
    prepare(targets) {
      const order = makeOrder(targets, { name: 'malformed', outcome: 'delivered', cod: 290_000n });
      return { invoice: makeInvoice(targets, [order], { paid: true }) };
    },
    strike(store, { invoice }) {
      // The list changes too, since a sync fetches only the invoices that changed there.
      const spoil = `update invoice set malformed = 1, list_status_display = 'Paid (under review)' where number = ?`;
      store.run(spoil, invoice);
      return [planted('document-malformed', { invoice_number: invoice })];
    },
  },
  {
    // In the first month, which has no other drift: an incomplete list cannot show that an invoice vanished.
    code: 'listing-incomplete',
    prepare: ({ frame }) => ({ month: dateText(frame.start).slice(0, 7) }),
    strike(store, { month }) {
      const lie = 'insert into listing_lie (merchant_id, month, surplus) values ((select min(id) from merchant), ?, 1)';
      store.run(lie, month);
      return [planted('listing-incomplete', { period: month })];
    },
  },
];

/** In units of USD. */
const FEE_GROWTH = 17_500n;

/** Raises the fee of an order's record and of its row. @returns the header's fields that differ afterwards */
function restate(store: Store, { invoice, order }: Prepared): Planted[] {
  const grow = `update order_money set delivery_fee = delivery_fee + ? where order_id = ? and currency = 'USD'`;
  store.run(grow, FEE_GROWTH, order);
  store.run(
    `update invoice_row_money set delivery_fee = delivery_fee + ?
     where invoice_number = ? and currency = 'USD'
       and row_position = (select position from invoice_row where invoice_number = ? and order_id = ?)`,
    [FEE_GROWTH, invoice, invoice, order],
  );
  writeHeader(store, invoice);
  return ['delivery_fee', 'net_due_to_merchant'].map((field) =>
    planted('invoice-restated', { invoice_number: invoice, currency: 'USD', field }),
  );
}

/** Hides an invoice, and takes its number off the records of its orders. */
function removeInvoice(store: Store, invoice: number): void {
  store.run('update invoice set hidden = 1 where number = ?', invoice);
  store.run('update delivery_order set merchant_invoice = null where merchant_invoice = ?', invoice);
}

/** Makes an order of two days ago. */
function makeRecentOrder(targets: Targets, name: string, outcome: 'warehouse' | 'transit' | 'delivered'): string {
  return makeOrder(targets, { name, day: dayOf(targets.frame.asOf) - 2 * DAY, outcome, cod: 480_000n });
}

function hideOrder(store: Store, { order }: Prepared): Planted[] {
  store.run('update delivery_order set hidden = 1 where order_id = ?', order);
  return [planted('order-vanished', { order_id: order })];
}

const SETTING = 'world.drift';

const nameOf = ({ code, variant }: Drift): string => (variant === undefined ? code : `${code}: ${variant}`);

/** A prepared drift, as it is stored in the service's file. */
interface DriftNote {
  readonly prepared: DriftTarget;
  /** The states of its order and invoice when it was prepared. */
  readonly states: string;
}

/**
 * Makes the orders and invoices that {@link plantDrift} will change, and notes them in the service's file. A first sync
 * sees them as they should be. Call it within `store.write`.
 *
 * @returns the mismatches among them that a check finds even before the change
 */
export function prepareDrift(targets: Targets): Planted[] {
  const { store } = targets;
  const foundBefore: Planted[] = [];
  const notes: Record<string, DriftNote> = {};
  for (const drift of DRIFT) {
    const prepared = drift.prepare(targets);
    notes[nameOf(drift)] = { prepared, states: statesOf(store, prepared) };
    foundBefore.push(...(drift.foundBefore?.(store, prepared as Prepared) ?? []));
  }
  store.setSetting(SETTING, JSON.stringify(notes));
  return foundBefore;
}

/**
 * Changes a planted world in every way that only a second sync can see: invoices, payments, lists and deliveries of
 * earlier days differ afterwards. One check finds each change, and no other check does.
 *
 * @param wanted the changes to make; all by default
 * @throws UsageError when the world was not planted, has drifted already, or has changed since it was planted
 */
export function plantDrift(store: Store, wanted: PlantFilter = () => true): Planted[] {
  return store.write(() => {
    const json = store.setting(SETTING);
    if (json === undefined) {
      throw new UsageError(
        'nothing in this file is prepared to change between two syncs',
        'Seed a new file with --plant; then, once after a first sync, run: remit sandbox seed --data FILE --plant-drift',
      );
    }
    const notes = JSON.parse(json) as Record<string, DriftNote>;
    const at = latestEvent(store) ?? '';
    store.run('delete from setting where name = ?', SETTING);
    return DRIFT.filter(wanted).flatMap((drift) => {
      const { prepared, states } = notes[nameOf(drift)]!;
      if (statesOf(store, prepared) !== states) {
        throw new UsageError(
          `${prepared.order ? `order ${prepared.order}` : `invoice ${prepared.invoice}`} has moved since the world was planted`,
          'Let the world change before it lives on: seed a new file with --plant, sync, and run --plant-drift first.',
        );
      }
      return drift.strike(store, prepared as Prepared, at);
    });
  });
}

/** A target without an order or an invoice gets an id that no row has. */
function statesOf(store: Store, { order = '', invoice = 0 }: DriftTarget): string {
  return JSON.stringify([
    store.get('select delivery_state, payment_state, merchant_invoice from delivery_order where order_id = ?', order),
    store.get('select status from invoice where number = ?', invoice),
  ]);
}

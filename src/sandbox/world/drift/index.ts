import { UsageError } from '../../../base/errors.ts';
import { dateText } from '../../calendar.ts';
import { billOrders, writeHeader } from '../../operator/invoicing.ts';
import { latestEvent, type Store } from '../../store/store.ts';
import { type Planted, type PlantFilter, planted } from '../planted.ts';
import { dayOfMade, makeInvoice, makeOrder } from '../plants/made.ts';
import type { Targets } from '../plants/targets.ts';
import { inDollars, netOf, worthOfOrder } from '../plants/worth.ts';
import { type Drift, need, ORDER_DRIFT, type Prepared } from './orders.ts';

/** Paid invoices that disappear. Their orders no longer name an invoice. */
const VANISHED: readonly Drift[] = [
  {
    code: 'invoice-vanished',
    prepare(targets) {
      const day = dayOfMade(targets);
      const orders = ['vanished-1', 'vanished-2'].map((name) =>
        makeOrder(targets, { name, day, outcome: 'delivered', cod: 240_000n }),
      );
      return { invoice: makeInvoice(targets, orders, { day, paid: true }) };
    },
    strike(store, { invoice }) {
      const number = need(invoice);
      remove(store, number);
      return [planted('invoice-vanished', { invoice_number: number, ...inDollars(-netOf(store, number)) })];
    },
  },
  {
    code: 'invoice-vanished',
    variant: 'an order of it billed anew',
    prepare(targets) {
      const day = dayOfMade(targets);
      const order = makeOrder(targets, { name: 'billed-anew', day, outcome: 'delivered', cod: 190_000n });
      const other = makeOrder(targets, { name: 'gone-with-it', day, outcome: 'delivered', cod: 360_000n });
      return { order, invoice: makeInvoice(targets, [order, other], { day, paid: true }) };
    },
    strike(store, prepared, at) {
      const number = need(prepared.invoice);
      const order = need(prepared.order);
      const missing = netOf(store, number) - worthOfOrder(store, order);
      remove(store, number);
      // Paid at once: the courier had paid this order already.
      const anew = billOrders(store, ownerOf(store, number), [order], at);
      store.run(`update invoice set status = 'PAID', paid_at = ? where number = ?`, at, anew.number);
      return [planted('invoice-vanished', { invoice_number: number, ...inDollars(-missing) })];
    },
  },
];

function remove(store: Store, invoice: number): void {
  store.run('update invoice set hidden = 1 where number = ?', invoice);
  store.run('update delivery_order set merchant_invoice = null where merchant_invoice = ?', invoice);
}

function ownerOf(store: Store, invoice: number): number {
  return need(store.get<{ id: number }>('select merchant_id as id from invoice where number = ?', invoice)?.id);
}

/** How much the fee grows, in units of USD. */
const FEE_GROWTH = 17_500n;

/**
 * Invoices whose fee grows afterwards. The order with the higher fee awaits its return, and was not delivered, so that its record
 * can follow the invoice without being found as restated itself.
 */
const RESTATED: readonly Drift[] = [
  {
    code: 'invoice-restated',
    // Only an order that awaits its return: its net is negative, so the invoice is never overdue.
    prepare(targets) {
      const day = dayOfMade(targets);
      const order = makeOrder(targets, { name: 'restated', day, outcome: 'awaiting-return', cod: 0n });
      return { order, invoice: makeInvoice(targets, [order], { day, paid: false }) };
    },
    strike: (store, { order, invoice }) => restate(store, need(invoice), need(order)),
  },
  {
    code: 'invoice-restated',
    variant: 'paid',
    prepare(targets) {
      const day = dayOfMade(targets);
      const order = makeOrder(targets, { name: 'restated-paid', day, outcome: 'awaiting-return', cod: 0n });
      const other = makeOrder(targets, { name: 'restated-beside', day, outcome: 'delivered', cod: 330_000n });
      return { order, invoice: makeInvoice(targets, [other, order], { day, paid: true }) };
    },
    strike: (store, { order, invoice }) => restate(store, need(invoice), need(order)),
  },
];

function restate(store: Store, invoice: number, order: string) {
  const more = `delivery_fee = delivery_fee + ? where order_id = ? and currency = 'USD'`;
  store.run(`update order_money set ${more}`, FEE_GROWTH, order);
  store.run(
    `update invoice_row_money set delivery_fee = delivery_fee + ?
     where invoice_number = ? and currency = 'USD'
       and row_position = (select position from invoice_row where invoice_number = ? and order_id = ?)`,
    FEE_GROWTH,
    invoice,
    invoice,
    order,
  );
  writeHeader(store, invoice);
  return ['delivery_fee', 'net_due_to_merchant'].map((field) =>
    planted('invoice-restated', { invoice_number: invoice, currency: 'USD', field }),
  );
}

/** A document that can no longer be read, and a list that is no longer complete. */
const DOCUMENT_DRIFT: readonly Drift[] = [
  {
    code: 'document-malformed',
    prepare(targets) {
      const day = dayOfMade(targets);
      const order = makeOrder(targets, { name: 'malformed', day, outcome: 'delivered', cod: 290_000n });
      return { invoice: makeInvoice(targets, [order], { day, paid: true }) };
    },
    strike(store, { invoice }) {
      // The list changes too, so that a sync which fetches only what changed fetches the invoice.
      store.run(
        `update invoice set malformed = 1, list_status_display = 'Paid (under review)' where number = ?`,
        need(invoice),
      );
      return [planted('document-malformed', { invoice_number: need(invoice) })];
    },
  },
  {
    // The first month, in which no other drift is planted: an incomplete list cannot show that an invoice vanished.
    code: 'listing-incomplete',
    prepare: ({ frame }) => ({ month: dateText(frame.start).slice(0, 7) }),
    strike(store, { month }) {
      store.run(
        'insert into listing_lie (merchant_id, month, surplus) values ((select min(id) from merchant), ?, 1)',
        need(month),
      );
      return [planted('listing-incomplete', { period: need(month) })];
    },
  },
];

const DRIFT: readonly Drift[] = [...RESTATED, ...VANISHED, ...ORDER_DRIFT, ...DOCUMENT_DRIFT];

const SETTING = 'world.drift';

const nameOf = ({ code, variant }: Drift): string => (variant === undefined ? code : `${code}: ${variant}`);

/** A drift to come, as the service file keeps it. */
interface Noted {
  readonly prepared: Prepared;
  /** The states of its order and invoice when it was prepared. */
  readonly states: string;
}

/**
 * Makes the orders and invoices that {@link plantDrift} will change, and notes them in the file. A first sync sees them
 * as they should be. Only within `store.write`.
 *
 * @returns what a check finds of them before the change
 */
export function prepareDrift(targets: Targets): Planted[] {
  const { store } = targets;
  const foundBefore: Planted[] = [];
  const notes: Record<string, Noted> = {};
  for (const drift of DRIFT) {
    const prepared = drift.prepare(targets);
    notes[nameOf(drift)] = { prepared, states: statesOf(store, prepared) };
    foundBefore.push(...(drift.foundBefore?.(store, prepared) ?? []));
  }
  store.run('insert or replace into setting (name, value) values (?, ?)', SETTING, JSON.stringify(notes));
  return foundBefore;
}

/**
 * Changes a planted world in every way that only a second sync can see: what was invoiced, paid, listed and delivered
 * changes afterwards. Its own check finds each change, and no other check does.
 *
 * @param wanted which changes; all by default
 * @throws UsageError when the world was not planted, has drifted already, or has changed since it was planted
 */
export function plantDrift(store: Store, wanted: PlantFilter = () => true): Planted[] {
  return store.write(() => {
    const noted = store.get<{ value: string }>('select value from setting where name = ?', SETTING)?.value;
    if (noted === undefined) {
      throw new UsageError(
        'nothing in this file is prepared to change between two syncs',
        'Seed a new file with --plant; then, once after a first sync, run: remit sandbox seed --data FILE --plant-drift',
      );
    }
    const notes = JSON.parse(noted) as Record<string, Noted>;
    const at = latestEvent(store) ?? '';
    store.run('delete from setting where name = ?', SETTING);
    return DRIFT.filter(wanted).flatMap((drift) => {
      const { prepared, states } = need(notes[nameOf(drift)]);
      if (statesOf(store, prepared) !== states) {
        throw new UsageError(
          `${prepared.order ? `order ${prepared.order}` : `invoice ${prepared.invoice}`} has moved since the world was planted`,
          'Let the world change before it lives on: seed a new file with --plant, sync, and run --plant-drift first.',
        );
      }
      return drift.strike(store, prepared, at);
    });
  });
}

function statesOf(store: Store, { order = '', invoice = 0 }: Prepared): string {
  return JSON.stringify([
    store.get('select delivery_state, payment_state, merchant_invoice from delivery_order where order_id = ?', order),
    store.get('select status from invoice where number = ?', invoice),
  ]);
}

import { billOrders } from '../../operator/invoicing.ts';
import type { Store } from '../../store/store.ts';
import { planted } from '../planted.ts';
import { dayOfMade, makeInvoice, makeOrder } from '../plants/made.ts';
import { inDollars, netOf, worthOfOrder } from '../plants/worth.ts';
import { type Drift, need } from './drift.ts';

/** Paid invoices that disappear. Their orders no longer name an invoice. */
export const VANISHED: readonly Drift[] = [
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

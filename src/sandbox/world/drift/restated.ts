import { writeHeader } from '../../operator/invoicing.ts';
import type { Store } from '../../store/store.ts';
import { planted } from '../planted.ts';
import { dayOfMade, makeInvoice, makeOrder } from '../plants/made.ts';
import { type Drift, need } from './drift.ts';

/** How much the fee grows, in units of USD. */
const MORE = 17_500n;

/**
 * Invoices whose fee grows afterwards. The order with the higher fee awaits its return, and was not delivered, so that its record
 * can follow the invoice without being found as restated itself.
 */
export const RESTATED: readonly Drift[] = [
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
  store.run(`update order_money set ${more}`, MORE, order);
  store.run(
    `update invoice_row_money set delivery_fee = delivery_fee + ?
     where invoice_number = ? and currency = 'USD'
       and row_position = (select position from invoice_row where invoice_number = ? and order_id = ?)`,
    MORE,
    invoice,
    invoice,
    order,
  );
  writeHeader(store, invoice);
  return ['delivery_fee', 'net_due_to_merchant'].map((field) =>
    planted('invoice-restated', { invoice_number: invoice, currency: 'USD', field }),
  );
}

import { dateText } from '../../calendar.ts';
import { dayOfMade, makeInvoice, makeOrder } from './made.ts';
import type { Plant } from './plant.ts';
import { feeOf, inDollars } from './worth.ts';

/** Plants that are invoices of their own: what they hold was wrong from the start, and nothing else is touched. */
export const INVOICE_PLANTS: readonly Plant[] = [
  {
    code: 'cod-without-delivery',
    plant(targets) {
      const day = dayOfMade(targets);
      const cod = 310_000n;
      const order_id = makeOrder(targets, { name: 'credited', day, outcome: 'awaiting-return', cod });
      return { invoice_number: makeInvoice(targets, [order_id], { day, paid: true }), order_id, ...inDollars(cod) };
    },
  },
  {
    code: 'cod-without-delivery',
    variant: 'refund',
    plant(targets) {
      const day = dayOfMade(targets);
      const cod = -125_000n;
      const order_id = makeOrder(targets, { name: 'refund', day, outcome: 'awaiting-return', cod });
      return { invoice_number: makeInvoice(targets, [order_id], { day, paid: false }), order_id, ...inDollars(cod) };
    },
  },
  {
    code: 'fee-on-cancelled',
    plant(targets) {
      const day = dayOfMade(targets);
      const order_id = makeOrder(targets, { name: 'cancelled', day, outcome: 'cancelled', cod: 0n });
      const fee = feeOf(targets.store, order_id);
      return { invoice_number: makeInvoice(targets, [order_id], { day, paid: false }), order_id, ...inDollars(-fee) };
    },
  },
  {
    // A net below zero: an unknown status counts as unpaid, and what is owed to the company is never overdue.
    code: 'status-unknown',
    plant(targets) {
      const day = dayOfMade(targets);
      const orderId = makeOrder(targets, { name: 'on-hold', day, outcome: 'awaiting-return', cod: 0n });
      const invoice_number = makeInvoice(targets, [orderId], { day, paid: false });
      targets.store.run(`update invoice set status = 'ON_HOLD' where number = ?`, invoice_number);
      return { invoice_number };
    },
  },
  {
    code: 'invoice-in-two-months',
    plant(targets) {
      const day = dayOfMade(targets);
      const orderId = makeOrder(targets, { name: 'two-months', day, outcome: 'delivered', cod: 270_000n });
      const invoice_number = makeInvoice(targets, [orderId], { day, paid: true });
      const own = dateText(day).slice(0, 7);
      targets.store.run('update invoice set also_listed_in = ? where number = ?', monthBefore(own), invoice_number);
      return { invoice_number };
    },
  },
];

function monthBefore(month: string): string {
  return new Date(Date.parse(`${month}-01T00:00:00Z`) - 1).toISOString().slice(0, 7);
}

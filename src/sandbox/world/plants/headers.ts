import { MONEY_FIELDS } from '../../../money/fields.ts';
import { dateText } from '../../calendar.ts';
import type { Store } from '../../store/store.ts';
import { feeOf, inDollars } from './amounts.ts';
import { dayOfMadeInvoices, makeInvoice, makeOrder } from './make-order.ts';
import type { WorldPlant } from './targets.ts';

/**
 * Mismatches in an invoice's header, in units: 250000 are 25.00. A wrong total changes the net too, so that no second
 * check finds anything.
 */
export const HEADER_PLANTS: readonly WorldPlant[] = [
  {
    code: 'invoice-cod-total',
    plant(targets) {
      const invoice = targets.invoice();
      change(targets.store, invoice, 'USD', 'cod = cod + 250000, net_due_to_merchant = net_due_to_merchant + 250000');
      return { invoice_number: invoice, currency: 'USD', effect: '25.00' };
    },
  },
  {
    code: 'invoice-fee-total',
    plant(targets) {
      const invoice = targets.invoice();
      const currency = hasPounds(targets.store, invoice) ? 'LBP' : 'USD';
      change(
        targets.store,
        invoice,
        currency,
        'delivery_fee = delivery_fee + 500000000, net_due_to_merchant = net_due_to_merchant - 500000000',
      );
      return { invoice_number: invoice, currency, effect: '-50000.00' };
    },
  },
  {
    code: 'invoice-net',
    plant(targets) {
      const invoice = targets.invoice();
      change(targets.store, invoice, 'USD', 'net_due_to_merchant = net_due_to_merchant - 125000');
      return { invoice_number: invoice, currency: 'USD', effect: '-12.50' };
    },
  },
  {
    code: 'invoice-order-count',
    plant(targets) {
      const invoice = targets.invoice();
      targets.store.run(
        `update invoice set list_order_count = 1 + (select count(*) from invoice_row where invoice_number = ?)
         where number = ?`,
        invoice,
        invoice,
      );
      return { invoice_number: invoice };
    },
  },
  {
    code: 'payment-overdue',
    plant(targets) {
      const invoice = targets.overdue();
      unpay(targets.store, invoice);
      return { invoice_number: invoice };
    },
  },
  {
    code: 'invoice-list-detail',
    plant(targets) {
      const invoice = targets.invoice();
      targets.store.run(
        `insert into invoice_money (invoice_number, view, position, currency, ${MONEY_FIELDS.join(', ')})
         select invoice_number, 'list', position, currency, ${MONEY_FIELDS.join(', ')}
         from invoice_money where invoice_number = ? and view = 'detail'`,
        invoice,
      );
      targets.store.run(
        `update invoice_money set delivery_fee = delivery_fee + 10000
         where invoice_number = ? and view = 'list' and currency = 'USD'`,
        invoice,
      );
      return { invoice_number: invoice, currency: 'USD' };
    },
  },
];

/** Changes figures of an invoice's header in one currency. @param assignments SQL, in units */
function change(store: Store, invoice: number, currency: string, assignments: string): void {
  store.run(
    `update invoice_money set ${assignments} where invoice_number = ? and view = 'detail' and currency = ?`,
    invoice,
    currency,
  );
}

function hasPounds(store: Store, invoice: number): boolean {
  return store.get(`select 1 from invoice_money where invoice_number = ? and currency = 'LBP'`, invoice) !== undefined;
}

/** Takes a payment back, as if the company had never made it. */
function unpay(store: Store, invoice: number): void {
  const orders = 'order_id in (select order_id from invoice_row where invoice_number = ?)';
  store.run(`update invoice set status = 'PENDING_PAYMENT', paid_at = null where number = ?`, invoice);
  store.run(`delete from statestamp where payment_state = 'PAID_TO_MERCHANT' and ${orders}`, invoice);
  store.run(`update delivery_order set payment_state = 'PENDING_PAYMENT_TO_MERCHANT' where ${orders}`, invoice);
}

/** Mismatches on additional invoices with additional orders, so that nothing else is changed. */
export const INVOICE_PLANTS: readonly WorldPlant[] = [
  {
    code: 'cod-without-delivery',
    plant(targets) {
      const cod = 310_000n;
      const order_id = makeOrder(targets, { name: 'credited', outcome: 'awaiting-return', cod });
      return { invoice_number: makeInvoice(targets, [order_id], { paid: true }), order_id, ...inDollars(cod) };
    },
  },
  {
    code: 'cod-without-delivery',
    variant: 'refund',
    plant(targets) {
      const cod = -125_000n;
      const order_id = makeOrder(targets, { name: 'refund', outcome: 'awaiting-return', cod });
      return { invoice_number: makeInvoice(targets, [order_id], { paid: false }), order_id, ...inDollars(cod) };
    },
  },
  {
    code: 'fee-on-cancelled',
    plant(targets) {
      const order_id = makeOrder(targets, { name: 'cancelled', outcome: 'cancelled', cod: 0n });
      const fee = feeOf(targets.store, order_id);
      return { invoice_number: makeInvoice(targets, [order_id], { paid: false }), order_id, ...inDollars(-fee) };
    },
  },
  {
    // With a net below zero: an unknown status counts as unpaid, and what the merchant owes is never overdue.
    code: 'status-unknown',
    plant(targets) {
      const orderId = makeOrder(targets, { name: 'on-hold', outcome: 'awaiting-return', cod: 0n });
      const invoice_number = makeInvoice(targets, [orderId], { paid: false });
      targets.store.run(`update invoice set status = 'ON_HOLD' where number = ?`, invoice_number);
      return { invoice_number };
    },
  },
  {
    code: 'invoice-in-two-months',
    plant(targets) {
      const orderId = makeOrder(targets, { name: 'two-months', outcome: 'delivered', cod: 270_000n });
      const invoice_number = makeInvoice(targets, [orderId], { paid: true });
      const invoiceMonth = dateText(dayOfMadeInvoices(targets)).slice(0, 7);
      targets.store.run(
        'update invoice set also_listed_in = ? where number = ?',
        monthBefore(invoiceMonth),
        invoice_number,
      );
      return { invoice_number };
    },
  },
];

function monthBefore(month: string): string {
  return new Date(Date.parse(`${month}-01T00:00:00Z`) - 1).toISOString().slice(0, 7);
}

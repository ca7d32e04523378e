import { addMonths } from '../../../base/period.ts';
import { MONEY_FIELDS } from '../../../money/fields.ts';
import { dateText } from '../../calendar.ts';
import type { Store } from '../../store/store.ts';
import { dayOfMadeInvoices, makeInvoice, makeOrder, type OrderToMake } from './make-order.ts';
import { feeOf, inDollars, type PlantedFacts, type Targets, type WorldPlant } from './targets.ts';

/**
 * Mismatches in an invoice's header, in units: 250000 are 25.00. A wrong total changes the net too, so that no second
 * check finds anything.
 */
export const HEADER_PLANTS: readonly WorldPlant[] = [
  ofInvoice('invoice-cod-total', (store, invoice) => {
    change(store, invoice, 'USD', 'cod = cod + 250000, net_due_to_merchant = net_due_to_merchant + 250000');
    return { currency: 'USD', effect: '25.00' };
  }),
  ofInvoice('invoice-fee-total', (store, invoice) => {
    const pounds = store.get(`select 1 from invoice_money where invoice_number = ? and currency = 'LBP'`, invoice);
    const currency = pounds === undefined ? 'USD' : 'LBP';
    const higherFee = 'delivery_fee = delivery_fee + 500000000, net_due_to_merchant = net_due_to_merchant - 500000000';
    change(store, invoice, currency, higherFee);
    return { currency, effect: '-50000.00' };
  }),
  ofInvoice('invoice-net', (store, invoice) => {
    change(store, invoice, 'USD', 'net_due_to_merchant = net_due_to_merchant - 125000');
    return { currency: 'USD', effect: '-12.50' };
  }),
  ofInvoice('invoice-order-count', (store, invoice) => {
    store.run(
      `update invoice set list_order_count = 1 + (select count(*) from invoice_row where invoice_number = ?)
       where number = ?`,
      [invoice, invoice],
    );
    return {};
  }),
  {
    code: 'payment-overdue',
    plant(targets) {
      const invoice = targets.overdue();
      unpay(targets.store, invoice);
      return { invoice_number: invoice };
    },
  },
  ofInvoice('invoice-list-detail', (store, invoice) => {
    // Rows of the view `list` are what the month's list states in place of the detail's amounts.
    store.run(
      `insert into invoice_money (invoice_number, view, position, currency, ${MONEY_FIELDS.join(', ')})
       select invoice_number, 'list', position, currency, ${MONEY_FIELDS.join(', ')}
       from invoice_money where invoice_number = ? and view = 'detail'`,
      invoice,
    );
    store.run(
      `update invoice_money set delivery_fee = delivery_fee + 10000
       where invoice_number = ? and view = 'list' and currency = 'USD'`,
      invoice,
    );
    return { currency: 'USD' };
  }),
];

/** A mismatch of the next invoice in turn. @param plant returns what the check reports apart from the invoice */
function ofInvoice(code: string, plant: (store: Store, invoice: number) => PlantedFacts): WorldPlant {
  return {
    code,
    plant(targets) {
      const invoice_number = targets.invoice();
      return { invoice_number, ...plant(targets.store, invoice_number) };
    },
  };
}

/** Changes figures of an invoice's header in one currency. @param assignments SQL, in units */
function change(store: Store, invoice: number, currency: string, assignments: string): void {
  const sql = `update invoice_money set ${assignments} where invoice_number = ? and view = 'detail' and currency = ?`;
  store.run(sql, invoice, currency);
}

/** Takes a payment back, as if the company had never made it. */
function unpay(store: Store, invoice: number): void {
  const orders = 'order_id in (select order_id from invoice_row where invoice_number = ?)';
  store.run(`update invoice set status = 'PENDING_PAYMENT', paid_at = null where number = ?`, invoice);
  store.run(`delete from statestamp where payment_state = 'PAID_TO_MERCHANT' and ${orders}`, invoice);
  store.run(`update delivery_order set payment_state = 'PENDING_PAYMENT_TO_MERCHANT' where ${orders}`, invoice);
}

function billNew(targets: Targets, order: OrderToMake, options: { readonly paid: boolean }) {
  const order_id = makeOrder(targets, order);
  return { invoice_number: makeInvoice(targets, [order_id], options), order_id };
}

/** Mismatches on additional invoices with additional orders, so that nothing else is changed. */
export const INVOICE_PLANTS: readonly WorldPlant[] = [
  {
    code: 'cod-without-delivery',
    plant(targets) {
      const order = { name: 'credited', outcome: 'awaiting-return', cod: 310_000n } as const;
      return { ...billNew(targets, order, { paid: true }), ...inDollars(order.cod) };
    },
  },
  {
    code: 'cod-without-delivery',
    variant: 'refund',
    plant(targets) {
      const order = { name: 'refund', outcome: 'awaiting-return', cod: -125_000n } as const;
      return { ...billNew(targets, order, { paid: false }), ...inDollars(order.cod) };
    },
  },
  {
    code: 'fee-on-cancelled',
    plant(targets) {
      const billed = billNew(targets, { name: 'cancelled', outcome: 'cancelled', cod: 0n }, { paid: false });
      return { ...billed, ...inDollars(-feeOf(targets.store, billed.order_id)) };
    },
  },
  {
    // With a net below zero: an unknown status counts as unpaid, and what the merchant owes is never overdue.
    code: 'status-unknown',
    plant(targets) {
      const order = { name: 'on-hold', outcome: 'awaiting-return', cod: 0n } as const;
      const { invoice_number } = billNew(targets, order, { paid: false });
      targets.store.run(`update invoice set status = 'ON_HOLD' where number = ?`, invoice_number);
      return { invoice_number };
    },
  },
  {
    code: 'invoice-in-two-months',
    plant(targets) {
      const order = { name: 'two-months', outcome: 'delivered', cod: 270_000n } as const;
      const { invoice_number } = billNew(targets, order, { paid: true });
      const month = addMonths(dateText(dayOfMadeInvoices(targets)).slice(0, 7), -1);
      targets.store.run('update invoice set also_listed_in = ? where number = ?', month, invoice_number);
      return { invoice_number };
    },
  },
];

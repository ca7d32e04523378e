import { ORDER_MONEY_FIELDS } from '../../../money/fields.ts';
import { DAY, dayOf } from '../../calendar.ts';
import { writeHeader } from '../../operator/invoicing.ts';
import type { Store } from '../../store/store.ts';
import { makeInvoice, makeOrder } from './make-order.ts';
import {
  inDollars,
  type PlantedFacts,
  type RowTarget,
  type Targets,
  type WorldPlant,
  worthOfOrder,
} from './targets.ts';

/** A delivered order counts as missed after this time without an invoice. */
const MISSED_AFTER = 16 * DAY;

/** Mismatches in the orders' records. */
export const ORDER_PLANTS: readonly WorldPlant[] = [
  ofDeliveredOrder('order-amount-differs', (store, { orderId }) => {
    store.run(`update order_money set cod = cod + 50000 where order_id = ? and currency = 'USD'`, orderId);
    return inDollars(-50_000n);
  }),
  ofDeliveredOrder('order-invoice-link', (store, { invoice, orderId }) => {
    // It names an invoice that nobody has. With none it would look as if it had never been billed.
    store.run('update delivery_order set merchant_invoice = ? where order_id = ?', invoice + 900_000, orderId);
    return {};
  }),
  ofDeliveredOrder('order-unknown', (store, { orderId }) => {
    store.run('update delivery_order set hidden = 1 where order_id = ?', orderId);
    return inDollars(worthOfOrder(store, orderId));
  }),
  {
    code: 'delivered-not-invoiced',
    plant: (targets) => makeMissedOrder(targets, 'missed'),
  },
];

/** A mismatch of the next delivered order in turn. @param plant returns what the check reports apart from the order */
function ofDeliveredOrder(code: string, plant: (store: Store, row: RowTarget) => PlantedFacts): WorldPlant {
  return {
    code,
    plant(targets) {
      const row = targets.deliveredRow();
      return { invoice_number: row.invoice, order_id: row.orderId, ...plant(targets.store, row) };
    },
  };
}

/** Makes an order that was delivered long ago, and that every billing run missed. */
export function makeMissedOrder(targets: Targets, name: string): { order_id: string; currency: 'USD'; effect: string } {
  const { frame, store } = targets;
  const day = dayOf(Math.min(frame.end, frame.asOf - MISSED_AFTER)) - DAY;
  const order_id = makeOrder(targets, { name, day, outcome: 'delivered', cod: 420_000n });
  return { order_id, ...inDollars(-worthOfOrder(store, order_id)) };
}

/** Ways to write a second order's reference: the same to a person, but another text to a machine. */
const VARIANTS: readonly (readonly [variant: string | undefined, change: (reference: string) => string])[] = [
  [undefined, (reference) => reference],
  ['tab', (reference) => `\t${reference} `],
  ['no-break space', (reference) => `\u00a0${reference}\u00a0`],
  ['case', (reference) => reference.toLowerCase()],
  // `é` is one character on the first order, and two on the second.
  ['Unicode form', (reference) => reference.normalize('NFD')],
];

/** For each way to write it: two orders with one reference of the shop and one price, on an additional paid invoice. */
export const REFERENCE_PLANTS: readonly WorldPlant[] = VARIANTS.map(([variant, change], index) => ({
  code: 'duplicate-reference',
  variant,
  plant(targets) {
    const first = `Café-${index + 1}/A`;
    const orders = [first, change(first)].map((reference, i) => {
      const name = `reference-${index + 1}-${i + 1}`;
      return makeOrder(targets, { name, outcome: 'delivered', cod: 221_000n + BigInt(index) * 7_000n, reference });
    });
    makeInvoice(targets, orders, { paid: true });
    // The check reports the order whose id comes first.
    const [order_id = null] = orders.sort();
    return { order_id };
  },
}));

/** Mismatches of an added row. The header is written again with it, so these are planted before those in headers. */
export const EXTRA_ROW_PLANTS: readonly WorldPlant[] = [
  ofDeliveredOrder('order-repeated', (store, row) => {
    addRow(store, row, row.invoice);
    return inDollars(worthOfOrder(store, row.orderId));
  }),
  {
    code: 'order-on-two-invoices',
    plant(targets) {
      const row = targets.deliveredRow();
      return billAgain(targets, row, targets.invoiceOtherThan(row.invoice));
    },
  },
  {
    code: 'order-on-two-invoices',
    variant: 'across months',
    plant(targets) {
      const row = targets.deliveredRow();
      return billAgain(targets, row, targets.invoiceOfAnotherMonth(row.invoice));
    },
  },
];

/** Mismatches between the status of an invoice and the payment state that its row states. */
export const PAYMENT_STATE_PLANTS: readonly WorldPlant[] = [
  ofDeliveredOrder('paid-state-conflict', (store, row) => {
    const isPaid = paymentOf(store, row.invoice) === 'PAID_TO_MERCHANT';
    statePayment(store, row, isPaid ? 'PAID_BY_DRIVER' : 'PAID_TO_MERCHANT');
    return {};
  }),
];

/** Bills a row's order again, on another invoice. */
function billAgain({ store }: Targets, row: RowTarget, second: number): PlantedFacts {
  const position = addRow(store, row, second);
  // If only one of the two is paid, the new row states what its invoice does, so that no other check finds it.
  const payment = paymentOf(store, second);
  if (payment !== paymentOf(store, row.invoice)) statePayment(store, { ...row, invoice: second, position }, payment);
  return { order_id: row.orderId, ...inDollars(worthOfOrder(store, row.orderId)) };
}

/** The payment state of the orders on an invoice. */
function paymentOf(store: Store, invoice: number): string {
  const row = store.get<{ status: string }>('select status from invoice where number = ?', invoice);
  return row?.status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
}

function statePayment(store: Store, { invoice, position }: RowTarget, payment: string): void {
  const sql = 'update invoice_row set stated_payment_state = ? where invoice_number = ? and position = ?';
  store.run(sql, payment, invoice, position);
}

/** Adds the row's order, with its money, at the end of an invoice. @returns its position there */
function addRow(store: Store, row: RowTarget, invoice: number): number {
  const position = store.count('invoice_row where invoice_number = ?', invoice);
  store.insert('invoice_row', { invoice_number: invoice, position, order_id: row.orderId });
  store.run(
    `insert into invoice_row_money (invoice_number, row_position, position, currency, ${ORDER_MONEY_FIELDS.join(', ')})
     select ?, ?, position, currency, ${ORDER_MONEY_FIELDS.join(', ')} from invoice_row_money where invoice_number = ? and row_position = ?`,
    [invoice, position, row.invoice, row.position],
  );
  writeHeader(store, invoice);
  return position;
}

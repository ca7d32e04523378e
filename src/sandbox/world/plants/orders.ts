import { ORDER_MONEY_FIELDS } from '../../../money/fields.ts';
import { DAY, dayOf } from '../../calendar.ts';
import { writeHeader } from '../../operator/invoicing.ts';
import type { Store } from '../../store/store.ts';
import type { Planted } from '../planted.ts';
import { dayOfMade, makeInvoice, makeOrder } from './made.ts';
import type { Plant, RowTarget, Targets } from './targets.ts';
import { inDollars, worthOfOrder } from './worth.ts';

/** A delivered order is missed when it stands on no invoice this long. */
const MISSED_AFTER = 16 * DAY;

/** Plants on the orders' own records. */
export const ORDER_PLANTS: readonly Plant[] = [
  {
    code: 'order-amount-differs',
    plant(targets) {
      const row = targets.row('delivered');
      targets.store.run(
        `update order_money set cod = cod + 50000 where order_id = ? and currency = 'USD'`,
        row.orderId,
      );
      return { invoice_number: row.invoice, order_id: row.orderId, ...inDollars(-50_000n) };
    },
  },
  {
    code: 'order-invoice-link',
    plant(targets) {
      const row = targets.row('delivered');
      // A delivered order that names no invoice would look as if it had never been billed.
      targets.store.run(
        'update delivery_order set merchant_invoice = ? where order_id = ?',
        row.invoice + 900_000,
        row.orderId,
      );
      return { invoice_number: row.invoice, order_id: row.orderId };
    },
  },
  {
    code: 'order-unknown',
    plant(targets) {
      const row = targets.row('delivered');
      const worth = worthOfOrder(targets.store, row.orderId);
      targets.store.run('update delivery_order set hidden = 1 where order_id = ?', row.orderId);
      return { invoice_number: row.invoice, order_id: row.orderId, ...inDollars(worth) };
    },
  },
  {
    code: 'delivered-not-invoiced',
    plant: (targets) => missed(targets, 'missed'),
  },
];

/** One more order, delivered long ago within the months of the world, that every billing run passed over. */
export function missed(targets: Targets, name: string): { order_id: string; currency: 'USD'; effect: string } {
  const { frame, store } = targets;
  const day = dayOf(Math.min(frame.end, frame.asOf - MISSED_AFTER)) - DAY;
  const order_id = makeOrder(targets, { name, day, outcome: 'delivered', cod: 420_000n });
  return { order_id, ...inDollars(-worthOfOrder(store, order_id)) };
}

/** A second order's reference: the same to a person, another text to a machine. */
const VARIANTS: readonly (readonly [variant: string | undefined, change: (reference: string) => string])[] = [
  [undefined, (reference) => reference],
  ['tab', (reference) => `\t${reference} `],
  ['no-break space', (reference) => `\u00a0${reference}\u00a0`],
  ['case', (reference) => reference.toLowerCase()],
  // Composed on the first order, taken apart on the second.
  ['Unicode form', (reference) => reference.normalize('NFD')],
];

/** Two orders with one reference of the shop's and one price, for each way of writing it: on a paid invoice of their own. */
export const REFERENCE_PLANTS: readonly Plant[] = VARIANTS.map(([variant, change], index) => ({
  code: 'duplicate-reference',
  ...(variant === undefined ? {} : { variant }),
  plant(targets) {
    const day = dayOfMade(targets);
    const first = `Café-${index + 1}/A`;
    const orders = [first, change(first)].map((reference, twin) => {
      const name = `reference-${index + 1}-${twin + 1}`;
      return makeOrder(targets, { name, day, outcome: 'delivered', cod: 221_000n + BigInt(index) * 7_000n, reference });
    });
    makeInvoice(targets, orders, { day, paid: true });
    const [order_id = null] = orders.sort();
    return { order_id };
  },
}));

/** Plants that add a row to an invoice; its header counts the row in, so that nothing else is wrong. They come first, because they write headers anew. */
export const EXTRA_ROW_PLANTS: readonly Plant[] = [
  {
    code: 'order-repeated',
    plant(targets) {
      const row = targets.row('delivered');
      addRow(targets.store, row, row.invoice);
      return {
        invoice_number: row.invoice,
        order_id: row.orderId,
        ...inDollars(worthOfOrder(targets.store, row.orderId)),
      };
    },
  },
  {
    code: 'order-on-two-invoices',
    plant(targets) {
      const row = targets.row('delivered');
      return billAgain(targets, row, targets.invoice(row.invoice));
    },
  },
  {
    code: 'order-on-two-invoices',
    variant: 'across months',
    plant(targets) {
      const row = targets.row('delivered');
      return billAgain(targets, row, targets.invoiceOfAnotherMonth(row.invoice));
    },
  },
];

/** Plants that make an invoice's row state something that its order is not. */
export const STATED_PLANTS: readonly Plant[] = [
  {
    code: 'paid-state-conflict',
    plant(targets) {
      const row = targets.row('delivered');
      const wrong =
        paymentOf(targets.store, row.invoice) === 'PAID_TO_MERCHANT' ? 'PAID_BY_DRIVER' : 'PAID_TO_MERCHANT';
      statePayment(targets, row, wrong);
      return { invoice_number: row.invoice, order_id: row.orderId };
    },
  },
];

/** Bills a row's order once more, on another invoice. */
function billAgain(targets: Targets, row: RowTarget, second: number): Partial<Omit<Planted, 'code'>> {
  const position = addRow(targets.store, row, second);
  // Where only one of the two is paid, the row agrees with the invoice that it stands on.
  const payment = paymentOf(targets.store, second);
  if (payment !== paymentOf(targets.store, row.invoice)) {
    statePayment(targets, { ...row, invoice: second, position }, payment);
  }
  return { order_id: row.orderId, ...inDollars(worthOfOrder(targets.store, row.orderId)) };
}

/** The payment state of the orders on an invoice. */
function paymentOf(store: Store, invoice: number): string {
  const row = store.get<{ status: string }>('select status from invoice where number = ?', invoice);
  return row?.status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT';
}

function statePayment({ store }: Targets, row: RowTarget, payment: string): void {
  store.run(
    'update invoice_row set stated_payment_state = ? where invoice_number = ? and position = ?',
    payment,
    row.invoice,
    row.position,
  );
}

/** Lists the row's order, with its money, once more at the end of an invoice. @returns its position there */
function addRow(store: Store, row: RowTarget, invoice: number): number {
  const last = store.get<{ n: number }>('select max(position) as n from invoice_row where invoice_number = ?', invoice);
  const position = (last?.n ?? -1) + 1;
  store.run(
    'insert into invoice_row (invoice_number, position, order_id) values (?, ?, ?)',
    invoice,
    position,
    row.orderId,
  );
  store.run(
    `insert into invoice_row_money (invoice_number, row_position, position, currency, ${ORDER_MONEY_FIELDS.join(', ')})
     select ?, ?, position, currency, ${ORDER_MONEY_FIELDS.join(', ')} from invoice_row_money where invoice_number = ? and row_position = ?`,
    invoice,
    position,
    row.invoice,
    row.position,
  );
  writeHeader(store, invoice);
  return position;
}

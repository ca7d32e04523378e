import { DAY, dayOf } from '../../calendar.ts';
import { dayOfMade, makeInvoice, makeOrder } from './made.ts';
import type { Plant } from './plant.ts';
import type { Targets } from './targets.ts';
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

/** What becomes of a reference when a second order bears it: the same to a person, another text to a machine. */
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

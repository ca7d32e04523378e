import { amount } from '../beginning.ts';
import { clone, type InvoiceRow } from '../documents.ts';
import { rowOf } from '../state.ts';
import { addUp, agree, moved } from '../sums.ts';
import { anInvoice, anOrder, aRow, aShift, currenciesOf, type Mutation, type Scene } from './mutation.ts';

/** After a change of rows: the header follows, in the list too, or the detail alone, or neither. */
function settle(scene: Scene, invoice: Parameters<typeof addUp>[0]): void {
  const { row } = invoice;
  const way = scene.dice.roll();
  if (way > 0.8) return;
  addUp(invoice);
  if (way > 0.65) invoice.row = row;
}

/**
 * A row of `sum-beyond-range`. On another invoice each of the two could be read, and no month can hold both: remit
 * refuses such books.
 */
const isTooMuch = ({ cod }: InvoiceRow) => cod.some(([, amount]) => amount.length > 15);

/** Rows of invoices: restated, doubled, moved, dropped, unknown. */
export const rowMutations: Record<string, Mutation> = {
  'restated-row': (scene) => {
    const found = aRow(scene);
    if (!found) return false;
    const currency = scene.dice.pick([...currenciesOf(found.row.cod, found.row.delivery_fee), 'USD']);
    const field = scene.dice.pick(['cod', 'delivery_fee'] as const);
    found.row[field] = moved(found.row[field], currency, aShift(scene.dice, currency));
    settle(scene, found.invoice);
    return true;
  },
  'refund-row': (scene) => {
    const order = anOrder(scene, ({ delivery_state }) => delivery_state !== 'CREATED');
    const invoice = anInvoice(scene);
    if (!order || !invoice) return false;
    const row = rowOf(order, invoice.detail.status === 'PAID');
    row.delivery_state = 'AWAITING_RETURN';
    row.cod = [['USD', `-${amount(scene.dice, 'USD', 1, 60)}`]];
    row.delivery_fee = [];
    invoice.detail.orders.push(row);
    settle(scene, invoice);
    return true;
  },
  'order-repeated': (scene) => {
    const found = aRow(scene);
    if (!found) return false;
    const { orders } = found.invoice.detail;
    orders.splice(scene.dice.int(0, orders.length), 0, clone(found.row));
    settle(scene, found.invoice);
    return true;
  },
  'order-on-two-invoices': (scene) => {
    const found = aRow(scene);
    const other = anInvoice(scene, (invoice) => invoice !== found?.invoice);
    if (!found || !other || isTooMuch(found.row)) return false;
    other.detail.orders.push({
      ...clone(found.row),
      payment_state: other.detail.status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT',
    });
    settle(scene, other);
    return true;
  },
  'row-moved': (scene) => {
    const found = aRow(scene);
    const other = anInvoice(scene, (invoice) => invoice !== found?.invoice);
    if (!found || !other || isTooMuch(found.row)) return false;
    found.invoice.detail.orders = found.invoice.detail.orders.filter((row) => row !== found.row);
    other.detail.orders.push(found.row);
    const order = scene.state.orders.get(found.row.order_id);
    if (order && scene.dice.chance(0.6)) order.merchant_invoice = other.detail.number;
    settle(scene, found.invoice);
    settle(scene, other);
    return true;
  },
  'row-dropped': (scene) => {
    const found = aRow(scene);
    if (!found) return false;
    found.invoice.detail.orders = found.invoice.detail.orders.filter((row) => row !== found.row);
    settle(scene, found.invoice);
    return true;
  },
  'rows-shuffled': (scene) => {
    const invoice = anInvoice(scene, ({ detail }) => detail.orders.length > 1);
    invoice?.detail.orders.reverse();
    return invoice !== undefined;
  },
  'order-unknown': (scene) => {
    const invoice = anInvoice(scene);
    if (!invoice) return false;
    const { orders } = invoice.detail;
    const at = scene.dice.int(0, 9999);
    orders.push({
      order_id: `XX${at}`,
      reference_id: '',
      workflow: 'STANDARD',
      delivery_state: scene.dice.chance(0.7) ? 'DELIVERED' : 'IN_TRANSIT',
      payment_state: invoice.detail.status === 'PAID' ? 'PAID_TO_MERCHANT' : 'PENDING_PAYMENT_TO_MERCHANT',
      cod: [['USD', amount(scene.dice, 'USD', 5, 90)]],
      delivery_fee: [['USD', '3.00']],
    });
    settle(scene, invoice);
    return true;
  },
  'row-not-delivered': (scene) => {
    const found = aRow(scene, (row) => row.delivery_state === 'DELIVERED');
    if (!found) return false;
    found.row.delivery_state = scene.dice.pick(['IN_TRANSIT', 'AWAITING_RETURN', 'CANCELLED']);
    const order = scene.state.orders.get(found.row.order_id);
    if (order && scene.dice.chance(0.5)) order.delivery_state = found.row.delivery_state;
    return true;
  },
  'row-status-unknown': (scene) => {
    const found = aRow(scene);
    if (!found) return false;
    if (scene.dice.chance(0.5)) found.row.delivery_state = 'TELEPORTED';
    else found.row.payment_state = 'IN_ESCROW';
    return true;
  },
  'payment-state-differs': (scene) => {
    const found = aRow(scene);
    if (!found) return false;
    found.row.payment_state = found.invoice.detail.status === 'PAID' ? 'PAID_BY_DRIVER' : 'PAID_TO_MERCHANT';
    return true;
  },
  'undelivered-invoiced': (scene) => {
    const order = anOrder(
      scene,
      ({ statestamps, merchant_invoice }) =>
        merchant_invoice === null && !statestamps.some(({ delivery_state }) => delivery_state === 'DELIVERED'),
    );
    const invoice = anInvoice(scene);
    if (!order || !invoice) return false;
    const row = rowOf(order, invoice.detail.status === 'PAID');
    if (scene.dice.chance(0.5)) row.delivery_state = 'DELIVERED';
    if (scene.dice.chance(0.4)) row.cod = [];
    invoice.detail.orders.push(row);
    order.merchant_invoice = invoice.detail.number;
    settle(scene, invoice);
    return true;
  },
  'currency-moved': (scene) => {
    const found = aRow(scene, (row) => row.cod.length === 1);
    if (!found) return false;
    found.row.cod = [[found.row.cod[0]?.[0] === 'EUR' ? 'USD' : 'EUR', amount(scene.dice, 'USD', 5, 90)]];
    settle(scene, found.invoice);
    agree(found.invoice);
    return true;
  },
};

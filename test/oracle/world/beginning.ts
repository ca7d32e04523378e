import { monthOf, stamp } from './clock.ts';
import type { Dice } from './dice.ts';
import type { HeldInvoice, OrderDocument, Pair, ServerState, Stamp } from './documents.ts';
import { listIn, rowOf } from './state.ts';
import { addUp } from './sums.ts';

const WAY = ['CREATED', 'PICKED_UP', 'AT_WAREHOUSE', 'IN_TRANSIT', 'DELIVERED'] as const;
const HOUR = 3_600_000;

/** Whole units of money, now and then with three or four decimals. */
export function amount(dice: Dice, currency: string, least: number, most: number): string {
  if (dice.chance(0.03)) return '0.00';
  if (currency === 'LBP') return `${dice.int(least, most) * 50_000}.00`;
  const whole = dice.int(least, most);
  if (dice.chance(0.06)) return `${whole}.${String(dice.int(0, 9999)).padStart(4, '0')}`;
  return `${whole}.${String(dice.int(0, 99)).padStart(2, '0')}`;
}

function money(dice: Dice, least: number, most: number): Pair[] {
  const currencies = dice.chance(0.7) ? ['USD'] : dice.pick([['LBP'], ['USD', 'LBP'], ['EUR'], ['USD', 'LBP', 'EUR']]);
  return currencies.map((currency) => [currency, amount(dice, currency, least, most)]);
}

/** A new order that came as far as `steps` of the way, its last step at `instant`. */
export function addOrder(state: ServerState, dice: Dice, instant: Date, steps: number = WAY.length): OrderDocument {
  state.made += 1;
  const order_id = `OR${String(100 + state.made).padStart(4, '0')}${dice.pick(['A', 'B', 'C', 'X'])}`;
  const zone = dice.pick([2, 3]);
  const statestamps: Stamp[] = WAY.slice(0, steps).map((delivery_state, at) => ({
    delivery_state,
    payment_state: delivery_state === 'DELIVERED' ? 'PENDING_PAYMENT_BY_DRIVER' : 'UNPAID',
    timestamp: stamp(new Date(instant.getTime() - (steps - 1 - at) * 7 * HOUR), zone),
  }));
  const last = statestamps.at(-1) as Stamp;
  const order: OrderDocument = {
    order_id,
    reference_id: dice.chance(0.15) ? '' : `Shop ${order_id}`,
    workflow: dice.chance(0.05) ? 'RETURN' : 'STANDARD',
    cod: money(dice, 5, 400),
    delivery_fee: dice.chance(0.9) ? [['USD', amount(dice, 'USD', 1, 6)]] : money(dice, 1, 6),
    delivery_state: last.delivery_state,
    payment_state: last.payment_state,
    merchant_invoice: null,
    statestamps,
  };
  state.orders.set(order_id, order);
  return order;
}

/** Bills orders on a new invoice, unpaid. */
export function addInvoice(
  state: ServerState,
  dice: Dice,
  orders: readonly OrderDocument[],
  issued: Date,
): HeldInvoice {
  const number = 10_001 + state.invoices.size;
  const issued_at = stamp(issued, dice.pick([0, 3]));
  const detail = {
    number,
    status: 'PENDING_PAYMENT',
    issued_at,
    cod: [],
    delivery_fee: [],
    net_due_to_merchant: [],
    orders: orders.map((order) => rowOf(order, false)),
  };
  for (const order of orders) {
    order.merchant_invoice = number;
    order.payment_state = 'PENDING_PAYMENT_TO_MERCHANT';
  }
  const invoice = { detail, row: {} as HeldInvoice['row'] };
  addUp(invoice);
  state.invoices.set(number, invoice);
  listIn(state, monthOf(issued_at), number);
  return invoice;
}

/** Marks an invoice and its orders as paid. */
export function pay(state: ServerState, invoice: HeldInvoice): void {
  invoice.detail.status = 'PAID';
  invoice.row.status = 'PAID';
  invoice.row.status_display = 'Paid';
  for (const row of invoice.detail.orders) {
    row.payment_state = 'PAID_TO_MERCHANT';
    const order = state.orders.get(row.order_id);
    if (order) order.payment_state = 'PAID_TO_MERCHANT';
  }
}

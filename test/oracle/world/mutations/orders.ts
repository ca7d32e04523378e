import { addOrder } from '../beginning.ts';
import { daysAfter, stamp } from '../clock.ts';
import { moved } from '../sums.ts';
import { anOrder, aShift, currenciesOf, type Mutation } from './mutation.ts';

const delivered = (order: { delivery_state: string }) => order.delivery_state === 'DELIVERED';

/** The order book: deliveries, changed prices, later states, deletions, references, links. */
export const orderMutations: Record<string, Mutation> = {
  'new-order': ({ state, dice, now }) => {
    addOrder(state, dice, daysAfter(now, -dice.int(1, 40) / 4), dice.int(1, 4));
    return true;
  },
  delivered: (scene) => {
    const order = anOrder(scene, ({ delivery_state }) => !['DELIVERED', 'CANCELLED'].includes(delivery_state));
    if (!order) return false;
    order.delivery_state = 'DELIVERED';
    order.payment_state = 'PENDING_PAYMENT_BY_DRIVER';
    // Without a statestamp, the courier says that it is delivered, but not since when.
    if (scene.dice.chance(0.7)) {
      order.statestamps.push({
        delivery_state: 'DELIVERED',
        payment_state: order.payment_state,
        timestamp: stamp(daysAfter(scene.now, -scene.dice.int(1, 30) / 3), 3),
      });
    }
    return true;
  },
  'delivered-not-invoiced': ({ state, dice, now }) => {
    addOrder(state, dice, daysAfter(now, -dice.int(2, 70) / 2));
    return true;
  },
  'order-repriced': (scene) => {
    const order = anOrder(scene, delivered);
    if (!order) return false;
    const field = scene.dice.pick(['cod', 'delivery_fee'] as const);
    const currency = scene.dice.pick([...currenciesOf(order.cod, order.delivery_fee), 'USD']);
    order[field] = moved(order[field], currency, aShift(scene.dice, currency));
    return true;
  },
  'order-repriced-undelivered': (scene) => {
    const order = anOrder(scene, (each) => !delivered(each));
    if (!order) return false;
    order.cod = moved(order.cod, 'USD', aShift(scene.dice, 'USD'));
    return true;
  },
  'order-cancelled': (scene) => {
    const order = anOrder(scene, ({ delivery_state }) => delivery_state !== 'CANCELLED');
    if (!order) return false;
    order.delivery_state = 'CANCELLED';
    order.statestamps.push({
      delivery_state: 'CANCELLED',
      payment_state: order.payment_state,
      timestamp: stamp(daysAfter(scene.now, -0.4), 2),
    });
    return true;
  },
  'order-regressed': (scene) => {
    const order = anOrder(scene, ({ delivery_state }) => ['DELIVERED', 'IN_TRANSIT'].includes(delivery_state));
    if (!order) return false;
    order.delivery_state = 'PICKED_UP';
    if (scene.dice.chance(0.5)) order.statestamps = order.statestamps.slice(0, 2);
    return true;
  },
  'payment-regressed': (scene) => {
    const order = anOrder(scene, ({ payment_state }) => payment_state !== 'UNPAID');
    if (!order) return false;
    order.payment_state = 'UNPAID';
    return true;
  },
  'order-vanished': (scene) => {
    const order = anOrder(scene, ({ order_id }) => !scene.state.orderFaults.has(order_id));
    if (!order) return false;
    scene.state.orders.delete(order.order_id);
    scene.state.gone.push(order);
    return true;
  },
  'order-back': ({ state }) => {
    const order = state.gone.shift();
    if (order) state.orders.set(order.order_id, order);
    return order !== undefined;
  },
  'order-unreadable': (scene) => {
    const order = anOrder(scene, () => true);
    if (order) scene.state.orderFaults.add(order.order_id);
    return order !== undefined;
  },
  'wrong-link': (scene) => {
    const order = anOrder(scene, ({ merchant_invoice }) => merchant_invoice !== null);
    if (!order) return false;
    const others = [...scene.state.invoices.keys(), 99_999].filter((number) => number !== order.merchant_invoice);
    order.merchant_invoice = scene.dice.chance(0.3) ? null : scene.dice.pick(others);
    return true;
  },
  'link-of-uninvoiced': (scene) => {
    const order = anOrder(scene, ({ merchant_invoice }) => merchant_invoice === null);
    if (!order) return false;
    order.merchant_invoice = scene.dice.pick([...scene.state.invoices.keys(), 99_998]);
    return true;
  },
  'duplicate-reference': (scene) => {
    const order = anOrder(scene, ({ reference_id }) => reference_id !== '');
    const other = anOrder(scene, (each) => each !== order);
    if (!order || !other) return false;
    const reference = `Café ${order.order_id}`;
    order.reference_id = reference;
    other.reference_id = scene.dice.pick([
      reference,
      `${reference}\t`,
      `\u00a0${reference.replace(' ', '\u00a0')}`,
      reference.toUpperCase(),
      reference.normalize('NFD'),
    ]);
    return true;
  },
};

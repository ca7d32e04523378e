import { DAY, dayOf, HOUR } from '../../calendar.ts';
import { moveOrder } from '../../operator/move-order.ts';
import type { Move } from '../../operator/moves.ts';
import { seededRandom } from '../../random.ts';
import { insertOrder } from '../../store/insert-order.ts';
import { changeStates } from '../../store/states.ts';
import { timestamp } from '../../store/timestamp.ts';
import type { Plant } from './plant.ts';
import type { Targets } from './targets.ts';

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
      return { invoice_number: row.invoice, order_id: row.orderId, currency: 'USD' };
    },
  },
  {
    code: 'order-invoice-link',
    plant(targets) {
      // A delivered order that names no invoice would look as if it had never been billed, so that one must name a wrong one.
      const returned = targets.find('returned');
      const row = returned ?? targets.row('delivered');
      targets.store.run(
        'update delivery_order set merchant_invoice = ? where order_id = ?',
        returned ? null : row.invoice + 900_000,
        row.orderId,
      );
      return { invoice_number: row.invoice, order_id: row.orderId };
    },
  },
  {
    code: 'order-unknown',
    plant(targets) {
      const row = targets.row('delivered');
      targets.store.run('update delivery_order set hidden = 1 where order_id = ?', row.orderId);
      return { invoice_number: row.invoice, order_id: row.orderId };
    },
  },
  {
    code: 'delivered-not-invoiced',
    plant: (targets) => ({ order_id: deliverUnbilled(targets) }),
  },
  {
    code: 'duplicate-reference',
    plant(targets) {
      const first = targets.row('delivered');
      const second = targets.row('delivered');
      targets.store.run(
        `update delivery_order set reference_id = (select reference_id from delivery_order where order_id = ?)
         where order_id = ?`,
        first.orderId,
        second.orderId,
      );
      const [order_id = null] = [first.orderId, second.orderId].sort();
      return { order_id };
    },
  },
];

/** One more order, delivered long ago within the months of the world, that every billing run passed over. */
function deliverUnbilled({ store, shop, frame }: Targets): string {
  const day = dayOf(Math.min(frame.end, frame.asOf - MISSED_AFTER)) - DAY;
  const destination = shop.destinations[0];
  if (!destination) throw new Error('a merchant with invoices has customers');
  let clock = day - 16 * HOUR;
  const at = (): string => {
    clock += HOUR;
    return timestamp(new Date(clock), 271);
  };
  const random = seededRandom(`${frame.seed}/unbilled`);
  const { orderId } = insertOrder(
    store,
    {
      merchant: shop.id,
      pickupLocation: random.pick(shop.pickupIds),
      customer: destination.customerId,
      customerLocation: destination.locationId,
      district: destination.district,
      workflow: 'STANDARD',
      cod: [{ currency: 'USD', units: 420_000n }],
    },
    at(),
    (limit) => random.int(0, limit - 1),
  );
  changeStates(store, orderId, { delivery_state: 'PICKUP_REQUESTED', payment_state: 'UNPAID' }, at());
  const pickup: Move[] = ['assign', 'scan', 'pickup', 'warehouse'];
  for (const move of pickup) moveOrder(store, orderId, move, at());
  clock = day + 6 * HOUR;
  const delivery: Move[] = ['assign', 'scan', 'pickup', 'dispatch', 'deliver', 'collect'];
  for (const move of delivery) moveOrder(store, orderId, move, at());
  return orderId;
}

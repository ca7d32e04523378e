import { UsageError } from '../../errors.ts';
import { latestEvent } from '../store/latest.ts';
import { changeStates } from '../store/states.ts';
import type { Store } from '../store/store.ts';
import type { Planted } from './plant.ts';

/**
 * Makes one order of the first merchant go backwards: a parcel that had reached the warehouse or the road waits for its
 * pickup again. Only a second sync can see it (`state-regressed`); the order is on no invoice, so no other check does.
 *
 * @throws UsageError when no order is under way
 */
export function plantDrift(store: Store): Planted[] {
  return store.write(() => {
    const order = store.get<{ order_id: string }>(
      `select order_id from delivery_order
       where merchant_id = (select min(id) from merchant) and merchant_invoice is null and hidden = 0 and payment_state = 'UNPAID'
         and delivery_state in ('PICKED_UP', 'AT_WAREHOUSE', 'DELIVERY_ASSIGNED', 'SCANNED_FOR_DELIVERY',
           'PICKED_UP_FOR_DELIVERY', 'IN_TRANSIT')
       order by delivery_state = 'IN_TRANSIT' desc, seq desc limit 1`,
    );
    if (!order) {
      throw new UsageError(
        'no order is under way that could go backwards',
        'Let the world live on first: remit sandbox run-day --data FILE',
      );
    }
    const at = latestEvent(store) ?? '';
    changeStates(store, order.order_id, { delivery_state: 'PICKUP_REQUESTED', payment_state: 'UNPAID' }, at);
    return [{ code: 'state-regressed', invoice_number: null, order_id: order.order_id, currency: null }];
  });
}

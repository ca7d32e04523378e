import type { Order } from '../courier/index.ts';
import type { CourierOrderRows } from '../ledger/index.ts';
import { instantOf } from './instant-text.ts';
import { moneyRows } from './money-rows.ts';

/**
 * Makes an order's ledger rows of its record in the order book (spec, 'Order').
 *
 * @param rowSha256 by which a later change of the record shows
 * @param pageSha256 the document that it stood in
 * @throws ContractError that names the field which the ledger cannot hold
 */
export function mapOrder(order: Order, rowSha256: string, pageSha256: string): CourierOrderRows {
  const { order_id } = order;
  const statestamps = (order.statestamps ?? []).map((stamp, position) => ({
    order_id,
    position,
    delivery_state: stamp.delivery_state,
    payment_state: stamp.payment_state,
    stamped_at: stamp.timestamp,
  }));
  const area = order.customer_location?.area;
  return {
    order: {
      order_id,
      reference_id: order.reference_id ?? '',
      workflow: order.workflow,
      is_exchange: order.is_exchange ? 1 : 0,
      delivery_state: order.delivery_state,
      payment_state: order.payment_state,
      // An empty text says 'not invoiced' as null does; kept as a number it would hide the order from every check.
      merchant_invoice: String(order.merchant_invoice ?? '').trim() || null,
      merchant_location: order.merchant_location ?? null,
      number_of_packages: order.number_of_packages ?? null,
      return_reason: order.return_reason ?? null,
      customer_id: order.customer?.id ?? null,
      area_id: area?.id ?? null,
      area_name: area?.name_en ?? area?.name_ar ?? null,
      district: area?.district ?? null,
      first_delivered_at: firstDelivered(order),
      fee_stated: order.delivery_fee == null ? 0 : 1,
      row_sha256: rowSha256,
      page_sha256: pageSha256,
      vanished_at: null,
    },
    amounts: moneyRows({ cod: order.cod, delivery_fee: order.delivery_fee ?? [] }, '').map((row) => ({
      order_id,
      ...row,
    })),
    statestamps,
  };
}

/** The time of the earliest DELIVERED statestamp, in UTC; every stamp's time is checked on the way. */
function firstDelivered(order: Order): string | null {
  let first: Date | null = null;
  (order.statestamps ?? []).forEach((stamp, index) => {
    const instant = instantOf(stamp.timestamp, `statestamps[${index}].timestamp`);
    if (stamp.delivery_state === 'DELIVERED' && (!first || instant < first)) first = instant;
  });
  return (first as Date | null)?.toISOString() ?? null;
}

import { decode } from '../api/decode.ts';
import { Order } from '../api/wire.ts';
import { isDelivered } from '../base/states.ts';
import type { CourierOrderRows } from '../ledger/write/orders.ts';
import { ORDER_MONEY_FIELDS } from '../money/fields.ts';
import { isStorableId, requireInstant, requireStorable } from './documents.ts';
import { blankRow, moneyRows, requireSummable } from './money-rows.ts';

const BLANK = blankRow(ORDER_MONEY_FIELDS, { order_id: '' });

/**
 * Makes an order's ledger rows from its record in the order book (spec, 'Order').
 *
 * @param raw the record as JSON
 * @param record the SHA-256 of its bytes, and the part that holds them
 * @throws ContractError that names the field that is not what the spec describes, or that the ledger cannot store
 */
export function readOrder(raw: unknown, record: { sha256: string; part: number }): CourierOrderRows {
  const order = decode(Order, raw);
  const { order_id } = order;
  const statestamps = (order.statestamps ?? []).map((stamp, position) => {
    const { delivery_state, payment_state, timestamp: stamped_at } = stamp;
    const row = { order_id, position, delivery_state, payment_state, stamped_at };
    return requireStorable(row, `statestamps[${position}].`);
  });
  const area = order.customer_location?.area;
  const first_delivered_at = firstDelivered(order);
  const amounts = moneyRows(ORDER_MONEY_FIELDS, order, '', { ...BLANK, order_id });
  requireSummable(ORDER_MONEY_FIELDS, amounts, 'cod');
  return {
    order: requireStorable({
      order_id,
      reference_id: order.reference_id ?? '',
      workflow: order.workflow,
      is_exchange: order.is_exchange ? 1 : 0,
      delivery_state: order.delivery_state,
      payment_state: order.payment_state,
      // An empty text means 'not invoiced', as null does; as a number it would be 0, and hide the order from checks.
      merchant_invoice: String(order.merchant_invoice ?? '').trim() || null,
      merchant_location: order.merchant_location ?? null,
      number_of_packages: order.number_of_packages ?? null,
      return_reason: order.return_reason ?? null,
      customer_id: order.customer?.id ?? null,
      area_id: area?.id ?? null,
      area_name: area?.name_en ?? area?.name_ar ?? null,
      district: area?.district ?? null,
      first_delivered_at,
      fee_stated: order.delivery_fee == null ? 0 : 1,
      record_sha256: record.sha256,
      record_part: record.part,
    }),
    amounts,
    statestamps,
    wasEverDelivered: isDelivered(order.delivery_state) || first_delivered_at !== null,
  };
}

/** The time of the earliest statestamp of a delivery, as received: its offset gives the local day. Checks all times. */
function firstDelivered(order: Order): string | null {
  let first: { instant: Date; text: string } | null = null;
  for (const [index, stamp] of (order.statestamps ?? []).entries()) {
    const instant = requireInstant(stamp.timestamp, `statestamps[${index}].timestamp`);
    if (isDelivered(stamp.delivery_state) && (!first || instant < first.instant)) {
      first = { instant, text: stamp.timestamp };
    }
  }
  return first?.text ?? null;
}

/** The order id in a record whose other fields may be unreadable; null if it has none. */
export function orderIdOf(raw: unknown): string | null {
  const id = (raw as { order_id?: unknown } | null | undefined)?.order_id;
  return typeof id === 'string' && id !== '' && isStorableId(id) ? id : null;
}

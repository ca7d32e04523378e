/** The order book: the courier's own record of each order. */
import type { OrderMoneyField } from '../../money/fields.ts';
import type { MoneyColumns } from './couriers.ts';

export interface CourierOrderTable {
  order_id: string;
  reference_id: string;
  workflow: string;
  is_exchange: 0 | 1;
  delivery_state: string;
  payment_state: string;
  /** The invoice identifier as text; null until invoiced. */
  merchant_invoice: string | null;
  merchant_location: number | null;
  number_of_packages: number | null;
  return_reason: string | null;
  customer_id: number | null;
  area_id: number | null;
  area_name: string | null;
  district: string | null;
  /** The first statestamp of a delivery, as received. */
  first_delivered_at: string | null;
  /** When the record first showed, by its state or a statestamp, that the order was ever delivered; null until then. */
  delivered_seen_at: string | null;
  /** The evidence that showed it. */
  delivered_evidence_id: number | null;
  /** 0 if the record states no delivery fee, which the API requires only for STANDARD orders. */
  fee_stated: 0 | 1;
  /** SHA-256 of the record's bytes as received. */
  record_sha256: string;
  /** The number of the evidence part with these bytes. */
  record_part: number;
  /** The evidence that first showed the order. */
  first_evidence_id: number;
  /** The evidence that first brought the record as it is now, and the last that is known to contain it. */
  record_evidence_id: number;
  seen_evidence_id: number;
  /** Since when a newer record is known that could not be read, and why. */
  superseded_at: string | null;
  superseded_why: string | null;
  vanished_at: string | null;
}

/**
 * The amounts in an order's record; in the table `courier_order_delivered_amount` those when it was first seen
 * delivered, if they have changed since.
 */
export interface CourierOrderAmountTable extends MoneyColumns<OrderMoneyField> {
  order_id: string;
  currency: string;
}

export interface StatestampTable {
  order_id: string;
  position: number;
  delivery_state: string;
  payment_state: string;
  /** As received: with its offset and microseconds. */
  stamped_at: string;
}

/** An order's record before and after it was seen changed (addresses of links aside), gone from a walk, or back. */
export interface OrderChangeTable {
  order_id: string;
  evidence_id: number;
  /** `changed`, `vanished` or `back`. */
  what: string;
  from_delivery_state: string;
  to_delivery_state: string;
  from_payment_state: string;
  to_payment_state: string;
  /** The numbers of the evidence parts with the records' bytes. */
  from_part: number;
  to_part: number;
  amounts_changed: 0 | 1;
  /** 1 if the delivery or the payment state moved backwards (`isBackward`). */
  backward: 0 | 1;
}

/** A message from the courier that an order has changed. Nothing in it is taken as true: the order is fetched. */
export interface WebhookTable {
  evidence_id: number;
  received_at: string;
  /** SHA-256 of the message as received. */
  sha256: string;
  /** Null if the message has no readable order id. */
  order_id: string | null;
  /** Its `last_updated_at` in UTC with nine decimals, so that text sorts by time; null if none can be read. */
  updated_at: string | null;
  /** 1 if an earlier message about the order is as new or newer: nothing is fetched for this one. */
  is_old: 0 | 1;
  /** The evidence of the order's first fetch after it; null while it waits for that. */
  answered_evidence_id: number | null;
}

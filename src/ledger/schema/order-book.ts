/** The courier's own record of each order. */

import type { OrderMoneyField } from '../../money/fields.ts';
import type { MoneyColumns } from './couriers.ts';

/** The courier's own record of an order: the order book. */
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
  /** When the record first showed that it was ever delivered, by its state or a statestamp; null while it did not. */
  delivered_seen_at: string | null;
  /** The evidence that showed it. */
  delivered_evidence_id: number | null;
  /** 0 where the record says nothing of a delivery fee, which the spec requires only for STANDARD orders. */
  fee_stated: 0 | 1;
  /** SHA-256 of the record's bytes as received. */
  record_sha256: string;
  /** The part that holds these bytes. */
  record_part: number;
  /** The evidence that first showed the order. */
  first_evidence_id: number;
  /** The evidence that first brought the record as it is now, and the last that is known to hold it. */
  record_evidence_id: number;
  seen_evidence_id: number;
  /** Since when a newer record is known of that could not be read, and why. */
  superseded_at: string | null;
  superseded_why: string | null;
  vanished_at: string | null;
}

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

/** An order's record before and after, where a walk found it changed (links aside), gone or back. */
export interface OrderChangeTable {
  order_id: string;
  evidence_id: number;
  /** `changed`, `vanished` or `back`. */
  what: string;
  from_delivery_state: string;
  to_delivery_state: string;
  from_payment_state: string;
  to_payment_state: string;
  /** The parts that hold the records' bytes. */
  from_part: number;
  to_part: number;
  /** Whether its amounts changed. */
  amounts_changed: 0 | 1;
  /** Whether a state moved backwards. */
  backward: 0 | 1;
}

/** A message of the courier's that an order has changed. It is no record: it has the order fetched. */
export interface WebhookTable {
  evidence_id: number;
  received_at: string;
  /** Of the message as received. */
  sha256: string;
  /** Null where the message names none that can be read. */
  order_id: string | null;
  /** Its `last_updated_at` in UTC with nine decimals, which sorts by time; null where the message has none that can be read. */
  updated_at: string | null;
  /** Whether a message held before is as new: nothing is fetched for it. */
  is_old: 0 | 1;
  /** The evidence of the first later look at the order; null while it waits to be fetched. */
  answered_evidence_id: number | null;
}

/** What an order's record said when it was first seen delivered: kept once its amounts are others. */
export interface CourierOrderDeliveredAmountTable extends MoneyColumns<OrderMoneyField> {
  order_id: string;
  currency: string;
}

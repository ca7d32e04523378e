/** The courier's invoices: lists, details, and their history. */

import type { MoneyField, OrderMoneyField, RowSumField } from '../../money/fields.ts';
import type { MoneyColumns } from './couriers.ts';

/** A concluded walk over a month's invoice list, or over the order book. */
export interface ListingTable {
  /** The evidence row that concluded it. */
  id: number;
  run_id: number;
  /** `invoices` or `orders`; open. */
  kind: string;
  /** The month (`2026-10`); null for the order book. */
  period: string | null;
  finished_at: string;
  /** Its ids and the stated count agree. */
  complete: 0 | 1;
  stated_count: number | null;
  seen_count: number;
  walks: number;
  /** Rows of the last walk that could not be read. */
  unreadable: number;
  /** Those of them whose id could not be read either: with one of these, what the walk lacks is not known to be gone. */
  anonymous: number;
  /** Why it did not bring what it stated; null for a complete one. */
  why: string | null;
}

/** What the list of a month says of an invoice. An invoice that two months list has two rows. */
export interface InvoiceListedTable {
  period: string;
  invoice_number: number;
  /** Null where the row could not be read. */
  status: string | null;
  status_display: string | null;
  issued_at: string | null;
  order_count: number | null;
  /** SHA-256 of the row's canonical form; null where it could not be read. When it changes, the detail is fetched again. */
  row_sha256: string | null;
  first_evidence_id: number;
  /** The evidence that last showed the row readable; null where none did. */
  read_evidence_id: number | null;
  counts_here: 0 | 1;
  /** The run and walk that last saw it. */
  seen_run: number;
  seen_walk: number;
  /** When a complete walk first no longer held it, and in which run. */
  vanished_at: string | null;
  vanished_run: number | null;
}

export interface InvoiceListedAmountTable extends MoneyColumns<MoneyField> {
  period: string;
  invoice_number: number;
  currency: string;
}

/** An invoice: its detail's header. There is none while no detail could be read. */
export interface InvoiceTable {
  number: number;
  /** The month it counts in: of the listings that hold it the one of its `issued_at`, else the first. */
  period: string;
  status: string;
  /** As received: with its offset. */
  issued_at: string;
  /** How many rows the detail holds. */
  row_count: number;
  detail_sha256: string;
  /** The evidence that first brought the detail as it is now. */
  detail_evidence_id: number;
  /** The evidence that last brought it, readable or not. */
  read_evidence_id: number;
  read_at: string;
  /** The list's row for which the detail was fetched. */
  listed_sha256: string | null;
  /** Since when a newer detail is known of that could not be read or brought, and why. Until it is, these figures are old. */
  superseded_at: string | null;
  superseded_why: string | null;
  vanished_at: string | null;
}

/** A detail that was never read: the list holds the invoice, and this is why its detail is not there. */
export interface InvoiceMissingTable {
  invoice_number: number;
  evidence_id: number;
  at: string;
  why: string;
}

/** The header's money of an invoice's detail, one row a currency. */
export interface InvoiceAmountTable extends MoneyColumns<MoneyField> {
  invoice_number: number;
  currency: string;
}

/** An invoice's row for one order, in the order of the document (`position` from 0). */
export interface InvoiceOrderTable {
  invoice_number: number;
  position: number;
  order_id: string;
  reference_id: string;
  workflow: string;
  delivery_state: string;
  payment_state: string;
}

export interface InvoiceOrderAmountTable extends MoneyColumns<OrderMoneyField> {
  invoice_number: number;
  position: number;
  currency: string;
}

/** An invoice's detail as it was once received: one row each time its content (payment states aside) was another. */
export interface InvoiceVersionTable {
  invoice_number: number;
  /** From 1. */
  version: number;
  evidence_id: number;
  seen_at: string;
  sha256: string;
  status: string;
  issued_at: string;
  row_count: number;
  /** SHA-256 of its amounts and rows, payment states and status left out: what a restatement changes. */
  content_sha256: string;
}

/** The money of a version: the header's, and the sum of its rows, as plain decimal text (a history, never summed in SQL). */
export interface InvoiceVersionAmountTable extends Record<MoneyField | RowSumField, string> {
  invoice_number: number;
  version: number;
  currency: string;
  /** What of the rows' COD stands on RETURN rows. */
  return_cod: string | null;
}

/** A status that an invoice moved to, as its details showed it. */
export interface InvoiceStatusTable {
  invoice_number: number;
  evidence_id: number;
  seen_at: string;
  status: string;
}

/** Each time an invoice left every listing, or came back. */
export interface InvoicePresenceTable {
  invoice_number: number;
  evidence_id: number;
  seen_at: string;
  present: 0 | 1;
}

/** When an invoice's detail first had rows of an order, and when it no longer had. */
export interface OrderListingTable {
  order_id: string;
  invoice_number: number;
  evidence_id: number;
  seen_at: string;
  listed: 0 | 1;
}

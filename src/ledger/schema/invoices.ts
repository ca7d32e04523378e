/** The courier's invoices: lists, details, and their history; what settlement sheets state beyond that. */
import type { MoneyField, OrderMoneyField, RowSumField } from '../../money/fields.ts';
import type { MaybeUnits, MoneyColumn, MoneyColumns } from './couriers.ts';

/** A concluded walk: a month's invoice list, or the order book, read from its first page to its last. */
export interface ListingTable {
  /** The evidence row that concluded it. */
  id: number;
  run_id: number;
  /** `invoices` or `orders`. */
  kind: string;
  /** The month (`2026-10`); null for the order book. */
  period: string | null;
  finished_at: string;
  /** 1 if it brought as many ids as the list states, and did not lack all that were known before (`whyDistrusted`). */
  complete: 0 | 1;
  stated_count: number | null;
  seen_count: number;
  /** How many times the run read the list, again where a reading did not add up; 0 if it could not be read. */
  walks: number;
  /** How many rows of the last walk could not be read. */
  unreadable: number;
  /**
   * How many of the unreadable rows have no readable id. If there is one, it may be the very row that the walk seems to
   * lack, and nothing counts as gone.
   */
  anonymous: number;
  /** Why it is not complete; null if it is. */
  why: string | null;
}

/** An invoice's row in a month's list. An invoice that two months list has two rows. */
export interface InvoiceListedTable {
  period: string;
  invoice_number: number;
  /** Null where the row could not be read. */
  status: string | null;
  status_display: string | null;
  issued_at: string | null;
  order_count: number | null;
  /**
   * SHA-256 of the row's canonical form; null where it could not be read. When it changes, the detail is fetched again.
   */
  row_sha256: string | null;
  first_evidence_id: number;
  /** The evidence that last showed the row readable; null where none did. */
  read_evidence_id: number | null;
  /** 1 if the invoice counts in this month. */
  counts_here: 0 | 1;
  /** The run that last saw it, and which of that run's walks over the list, from 1. */
  seen_run: number;
  seen_walk: number;
  /** When a complete walk first lacked it, and in which run. */
  vanished_at: string | null;
  vanished_run: number | null;
}

export interface InvoiceListedAmountTable extends MoneyColumns<MoneyField> {
  period: string;
  invoice_number: number;
  currency: string;
}

/** The header of an invoice's detail. There is no row as long as no detail could be read. */
export interface InvoiceTable {
  number: number;
  /** The month in which it counts: that of `issued_at` if that month lists it, else the first month that lists it. */
  period: string;
  status: string;
  /** As received: with its offset. */
  issued_at: string;
  /** How many rows the detail has. */
  row_count: number;
  detail_sha256: string;
  /** The evidence that first brought the detail as it is now. */
  detail_evidence_id: number;
  /** The evidence that last brought it, readable or not. */
  read_evidence_id: number;
  read_at: string;
  /** SHA-256 of the list's row for which the detail was fetched. */
  listed_sha256: string | null;
  /** Since when a newer detail is known that could not be fetched or read, and why: so long these figures are old. */
  superseded_at: string | null;
  superseded_why: string | null;
  /** Since when no month lists it any more. */
  vanished_at: string | null;
}

/** An invoice, the month in which it counts, and when it vanished. */
export type InvoiceInMonth = Pick<InvoiceTable, 'number' | 'period' | 'vanished_at'>;

/** An invoice that is listed and whose detail was never read, and why. */
export interface InvoiceMissingTable {
  invoice_number: number;
  evidence_id: number;
  at: string;
  why: string;
}

/** The money in the header of an invoice's detail, one row per currency. */
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

/** A row of an invoice: its place in the invoice, and its order by the courier's id and your reference. */
export interface RowInMonth extends InvoiceInMonth, Pick<InvoiceOrderTable, 'position' | 'order_id'> {
  reference: string;
}

export interface InvoiceOrderAmountTable extends MoneyColumns<OrderMoneyField> {
  invoice_number: number;
  position: number;
  currency: string;
}

/** An invoice's detail as it was once received: one row each time its content changed (payment states aside). */
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

/** A version's money: its header's and the sum of its rows', as plain decimal text: SQL never sums a history. */
export interface InvoiceVersionAmountTable extends Record<MoneyField | RowSumField, string> {
  invoice_number: number;
  version: number;
  currency: string;
  /** The part of the rows' COD that is on RETURN rows. */
  return_cod: string | null;
}

/** A status that an invoice moved to, as its detail showed it. */
export interface InvoiceStatusTable {
  invoice_number: number;
  evidence_id: number;
  seen_at: string;
  status: string;
}

/** Each time an invoice was no longer in any month's list, or was again. */
export interface InvoicePresenceTable {
  invoice_number: number;
  evidence_id: number;
  seen_at: string;
  present: 0 | 1;
}

/** Each time an order was first on an invoice's detail, or no longer on it. */
export interface OrderListingTable {
  order_id: string;
  invoice_number: number;
  evidence_id: number;
  seen_at: string;
  listed: 0 | 1;
}

// What settlement sheets state beyond the fields of an API invoice.

/** The integer that the ledger keeps for a payout number such as `P-17`, which is no integer. It never changes. */
export interface SheetNumberTable {
  /** As the sheet writes it. */
  number_text: string;
  number: number;
}

/** The table `settlement`: an invoice that a sheet brought. */
export interface SheetInvoiceTable {
  number: number;
  /** The import that last changed it. */
  evidence_id: number;
}

export interface SheetRowTable {
  invoice_number: number;
  position: number;
  /** The order's first line in the sheet. */
  line: number;
  delivered_on: string | null;
  /** 1/10,000 of the sheet's unit of weight. */
  weight: MaybeUnits;
}

/** The net that a sheet states for an invoice's row, in one currency. */
export interface SheetRowNetTable {
  invoice_number: number;
  position: number;
  currency: string;
  net: MoneyColumn;
}

/** A figure in an invoice's header that the sheet does not state: it is the sum of the rows. */
export interface SheetComputedTable {
  invoice_number: number;
  currency: string;
  /** `cod`, `delivery_fee` or `net_due_to_merchant`. */
  field: string;
}

/** `charge`: what the courier is paid; `tax`: what it withholds. */
export type ChargeKind = 'charge' | 'tax';

/** A part of the fee in an invoice's header, by its kind and name. Together they are the header's `delivery_fee`. */
export interface InvoiceChargeTable {
  invoice_number: number;
  kind: ChargeKind;
  /** As the map calls it: `delivery`, `handling`, `wht`. */
  name: string;
  currency: string;
  amount: MoneyColumn;
}

/** A part of the fee in an invoice's row. */
export interface InvoiceOrderChargeTable extends InvoiceChargeTable {
  position: number;
}

/** The charges and taxes of a version's header, as decimal text. */
export interface InvoiceVersionChargeTable extends Omit<InvoiceChargeTable, 'amount'> {
  version: number;
  amount: string;
}

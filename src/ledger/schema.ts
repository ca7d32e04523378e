/**
 * The ledger's tables, one interface each. Every money column counts 1/10,000 of the currency's unit: written as bigint,
 * read as text (`cast(... as text)`), because a JavaScript number cannot hold all of them; see `units()` in dialect.ts.
 * Times are ISO 8601 text, flags 0 or 1.
 */
import type { ColumnType, GeneratedAlways } from 'kysely';
import type { Units } from '../money/index.ts';

/** A money column: read it only through `unitsText()`, which SQL turns into text. */
type MoneyColumn = ColumnType<never, Units, Units>;

export interface RunTable {
  id: GeneratedAlways<number>;
  command: string;
  started_at: string;
  finished_at: string | null;
  status: RunStatus;
  remit_version: string;
  /** What `sync --json` prints, as JSON. */
  summary: string | null;
}
export type RunStatus = 'running' | 'complete' | 'partial' | 'failed' | 'interrupted';

/** A response body as received, stored once however often it was seen. Append-only. */
export interface EvidenceBodyTable {
  sha256: string;
  encoding: 'gzip' | 'identity';
  /** Bytes before compression. */
  size: number;
  body: Uint8Array;
}

/** One sighting of a body: which run received it, when, from where, and what was wrong with it, if anything was. Append-only. */
export interface EvidenceTable {
  id: GeneratedAlways<number>;
  run_id: number;
  kind: EvidenceKind;
  /** What the document is about: a period for invoice lists, an invoice number for details, a page for orders. */
  subject: string;
  url: string;
  received_at: string;
  sha256: string;
  fault: string | null;
}
export type EvidenceKind = 'profile' | 'logo' | 'invoice-list' | 'invoice' | 'order-list';

export interface AccountTable {
  id: number;
  api_url: string;
  organisation_name: string;
  brand: string | null;
  logo_url: string | null;
  primary_color: string | null;
  profile_sha256: string;
  logo_sha256: string | null;
}

/** One walk over a month's invoice list, or over the order book. `complete`: its ids and the stated count agree. */
export interface ListingTable {
  id: GeneratedAlways<number>;
  run_id: number;
  kind: 'invoices' | 'orders';
  /** The month (`2026-10`); null for the order book. */
  period: string | null;
  finished_at: string;
  complete: 0 | 1;
  stated_count: number | null;
  seen_count: number;
}

/** An invoice: the detail's header, with what the month's list said of it beside it. */
export interface InvoiceTable {
  number: number;
  /** The month under which the API lists it. */
  period: string;
  status: string;
  issued_at: string;
  /** How many rows the detail holds. */
  row_count: number;
  detail_sha256: string;
  /** Null where the list's row could not be read. */
  list_status: string | null;
  list_status_display: string | null;
  list_issued_at: string | null;
  list_order_count: number | null;
  /** SHA-256 of the list's row: when it changes, the detail is fetched again. */
  list_row_sha256: string | null;
  vanished_at: string | null;
}

/** The header's money of an invoice's detail, one row a currency. */
export interface InvoiceAmountTable {
  invoice_number: number;
  currency: string;
  cod: MoneyColumn;
  delivery_fee: MoneyColumn;
  net_due_to_merchant: MoneyColumn;
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

export interface InvoiceOrderAmountTable {
  invoice_number: number;
  position: number;
  currency: string;
  cod: MoneyColumn;
  delivery_fee: MoneyColumn;
}

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
  /** The time of the first DELIVERED statestamp, in UTC. */
  first_delivered_at: string | null;
  /** 0 where the record says nothing of a delivery fee, which the spec requires only for STANDARD orders. */
  fee_stated: 0 | 1;
  row_sha256: string;
  page_sha256: string;
  vanished_at: string | null;
}

export interface CourierOrderAmountTable {
  order_id: string;
  currency: string;
  cod: MoneyColumn;
  delivery_fee: MoneyColumn;
}

export interface StatestampTable {
  order_id: string;
  position: number;
  delivery_state: string;
  payment_state: string;
  /** As received: with its offset and microseconds. */
  stamped_at: string;
}

/** An order's states before and after, where a sync found them changed. Append-only. */
export interface OrderStateChangeTable {
  id: GeneratedAlways<number>;
  order_id: string;
  seen_at: string;
  from_delivery_state: string;
  to_delivery_state: string;
  from_payment_state: string;
  to_payment_state: string;
  from_page_sha256: string;
  to_page_sha256: string;
}

export type Severity = 'error' | 'warning' | 'info';
export type MismatchStatus = 'open' | 'acknowledged' | 'resolved';

/** A mismatch; amounts are plain decimal text, counts integers as text. */
export interface MismatchTable {
  id: string;
  code: string;
  severity: Severity;
  period: string;
  invoice_number: number | null;
  order_id: string | null;
  reference_id: string | null;
  currency: string | null;
  field: string | null;
  expected: string | null;
  actual: string | null;
  difference: string | null;
  effect: string | null;
  message: string;
  status: MismatchStatus;
  note: string | null;
}

/** The history of a mismatch's status. Append-only. */
export interface MismatchEventTable {
  id: GeneratedAlways<number>;
  mismatch_id: string;
  at: string;
  /** `remit` for a check, otherwise the person's name. */
  actor: string;
  from_status: MismatchStatus | null;
  to_status: MismatchStatus;
  note: string | null;
}

export interface LedgerSchema {
  run: RunTable;
  evidence_body: EvidenceBodyTable;
  evidence: EvidenceTable;
  account: AccountTable;
  listing: ListingTable;
  invoice: InvoiceTable;
  invoice_amount: InvoiceAmountTable;
  invoice_list_amount: InvoiceAmountTable;
  invoice_order: InvoiceOrderTable;
  invoice_order_amount: InvoiceOrderAmountTable;
  courier_order: CourierOrderTable;
  courier_order_amount: CourierOrderAmountTable;
  statestamp: StatestampTable;
  order_state_change: OrderStateChangeTable;
  mismatch: MismatchTable;
  mismatch_event: MismatchEventTable;
}

/**
 * The ledger's tables, one interface each. `evidence` and its bodies are what became known, append-only and chained; every other
 * table is derived from them and can be made again. Money columns count 1/10,000 of the currency's unit: written as bigint, read as
 * text (`cast(... as text)`), because a JavaScript number cannot hold all of them. Times are ISO 8601 text, flags 0 or 1.
 * Every key is given by the writer, never by the database, so that a replay and a copy have the same keys.
 */
import type { ColumnType } from 'kysely';
import type { MoneyField, OrderMoneyField, RowSumField, Units } from '../money/index.ts';
import type { BooksSchema } from './schema-books.ts';
import type { ClaimsSchema } from './schema-claims.ts';
import type { CloseSchema } from './schema-closes.ts';

export type * from './schema-books.ts';
export type * from './schema-claims.ts';
export type * from './schema-closes.ts';

/** A money column: read it only through `unitsText()`, which SQL turns into text. */
export type MoneyColumn = ColumnType<never, Units, Units>;

/** Money columns as `MONEY_FIELDS` names them. */
export type MoneyColumns<F extends string> = Record<F, MoneyColumn>;

// ---- evidence: what became known ----

/**
 * One thing that became known: a document received, a walk concluded, a run begun, what a check found, what a person decided.
 * Append-only; `id` counts from 1 without a gap, and `chain` binds each row to all before it.
 */
export interface EvidenceTable {
  id: number;
  at: string;
  kind: EvidenceKind;
  run_id: number | null;
  /** Who decided, imported or closed; null for what remit does by itself. */
  actor: string | null;
  /** What it is about: a period for invoice lists, an invoice number for details, a mismatch for a decision. */
  subject: string;
  /** Where it came from: an address, or a file's name. */
  source: string | null;
  /** The listing that a page belongs to (`invoices 2026-10`, `orders`), and the walk over it, from 1. */
  listing: string | null;
  walk: number | null;
  /** The body as received, where there is one. */
  sha256: string | null;
  /** What in it could not be read. */
  fault: string | null;
  /** What is known beside the body, as canonical JSON. */
  data: string | null;
  /** SHA-256 over the row and the `chain` of the row before it. */
  chain: string;
}
/** Open: a later kind needs no migration. */
export type EvidenceKind =
  | 'run-begun'
  | 'run-ended'
  | 'profile'
  | 'logo'
  | 'invoice-list'
  | 'invoice'
  | 'invoice-missing'
  | 'order-pages'
  | 'order-list'
  | 'listing'
  | 'check'
  | 'findings'
  | 'decision'
  | 'claim'
  | 'claim-answered'
  | 'claim-written-off'
  | 'import'
  | 'import-undone'
  | 'match'
  | 'match-removed'
  | 'resolutions'
  | 'close'
  | 'reopen'
  | 'statement'
  | 'close-pack'
  | (string & {});

/** The head of the chain: one row, moved on with each evidence row, so that a tail that was cut shows. */
export interface ChainTable {
  id: number;
  evidence_id: number;
  head: string;
}

/** A body as received, stored once however often it was seen. Append-only. */
export interface EvidenceBodyTable {
  sha256: string;
  encoding: Encoding;
  /** Bytes before compression. */
  size: number;
  body: Uint8Array;
}
export type Encoding = 'gzip' | 'br' | 'identity';

/** Orders of the order book as received, each once, packed together: parts `first_part` and so on. Append-only. */
export interface EvidencePackTable {
  first_part: number;
  /** The size of each part in bytes, as JSON. */
  sizes: string;
  encoding: Encoding;
  body: Uint8Array;
}

/** Which part of which pack holds the bytes with a SHA-256. Append-only. */
export interface EvidencePartTable {
  sha256: Uint8Array;
  part: number;
}

// ---- runs ----

export interface RunTable {
  id: number;
  command: string;
  started_at: string;
  finished_at: string | null;
  status: RunStatus;
  remit_version: string;
  /** The months that it was about, as a period; null where it was about all. */
  period: string | null;
  /** What the command prints with --json, as JSON, without its rows. */
  summary: string | null;
}
export type RunStatus = 'running' | 'complete' | 'partial' | 'failed' | 'interrupted';

// ---- the courier's documents ----

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

/**
 * A document, or a part of one, whose newest form was received and cannot be read. The row goes when it can be, or when a complete
 * walk no longer shows it.
 */
export interface UnreadableTable {
  /** `invoice` (a detail), `listed` (a row of a month's list), `order`, `page`, `profile`. */
  kind: string;
  /** The invoice's number, the order's id; for what has no id of its own, its place (`2026-10 results[3]`). */
  subject: string;
  /** The month of the list that it stands in, or of the invoice; null for the order book. */
  period: string | null;
  evidence_id: number;
  at: string;
  /** Of the body it was in; null where that was too large to keep. */
  sha256: string | null;
  why: string;
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
  /** Whether this is the month in which the invoice counts. */
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
  /** The first DELIVERED statestamp, as received. */
  first_delivered_at: string | null;
  /** When the record first showed that it was ever DELIVERED, by its state or a statestamp; null while it did not. */
  delivered_seen_at: string | null;
  /** 0 where the record says nothing of a delivery fee, which the spec requires only for STANDARD orders. */
  fee_stated: 0 | 1;
  /** SHA-256 of the record's bytes as received. */
  record_sha256: string;
  /** The part that holds these bytes. */
  record_part: number;
  /** SHA-256 of its canonical form without the links that hold the server's address: when it changes, the order did. */
  content_sha256: string;
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

/** What an order's record said when it was first seen delivered: kept once its amounts are others. */
export interface CourierOrderDeliveredAmountTable extends MoneyColumns<OrderMoneyField> {
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

// ---- what checks found and people decided ----

export type Severity = 'error' | 'warning' | 'info';
export type MismatchStatus = 'open' | 'acknowledged' | 'resolved';
export type MismatchUnit = 'money' | 'count' | 'days';

/** A mismatch; amounts are plain decimal text, counts integers as text. */
export interface MismatchTable {
  id: string;
  code: string;
  severity: Severity;
  period: string;
  /** What it is about in one text: `invoice 10009`, `order 86DW546HQX`, `listing 2026-09`. */
  subject: string;
  invoice_number: number | null;
  order_id: string | null;
  reference_id: string | null;
  currency: string | null;
  field: string | null;
  expected: string | null;
  actual: string | null;
  difference: string | null;
  unit: MismatchUnit | null;
  effect: string | null;
  message: string;
  status: MismatchStatus;
  note: string | null;
}

/** The months in which a mismatch shows: its own, and for an order on several invoices each of theirs. */
export interface MismatchMonthTable {
  period: string;
  mismatch_id: string;
}

/** The history of a mismatch's status. */
export interface MismatchEventTable {
  mismatch_id: string;
  evidence_id: number;
  at: string;
  /** `remit` for a check, otherwise the person's name. */
  actor: string;
  from_status: MismatchStatus | null;
  to_status: MismatchStatus;
  note: string | null;
}

export interface LedgerSchema extends BooksSchema, ClaimsSchema, CloseSchema {
  evidence: EvidenceTable;
  chain: ChainTable;
  evidence_body: EvidenceBodyTable;
  evidence_pack: EvidencePackTable;
  evidence_part: EvidencePartTable;
  run: RunTable;
  account: AccountTable;
  listing: ListingTable;
  unreadable: UnreadableTable;
  invoice_listed: InvoiceListedTable;
  invoice_listed_amount: InvoiceListedAmountTable;
  invoice: InvoiceTable;
  invoice_missing: InvoiceMissingTable;
  invoice_amount: InvoiceAmountTable;
  invoice_order: InvoiceOrderTable;
  invoice_order_amount: InvoiceOrderAmountTable;
  invoice_version: InvoiceVersionTable;
  invoice_version_amount: InvoiceVersionAmountTable;
  invoice_status: InvoiceStatusTable;
  invoice_presence: InvoicePresenceTable;
  courier_order: CourierOrderTable;
  courier_order_amount: CourierOrderAmountTable;
  courier_order_delivered_amount: CourierOrderDeliveredAmountTable;
  statestamp: StatestampTable;
  order_change: OrderChangeTable;
  mismatch: MismatchTable;
  mismatch_month: MismatchMonthTable;
  mismatch_event: MismatchEventTable;
}

/** The tables of the merchant's own side: what files brought, and what was matched. Days are ISO dates, as the files state them. */

import type { ColumnType } from 'kysely';
import type { Units } from '../money/index.ts';
import type { MoneyColumn } from './schema.ts';

export type ImportedKind = 'orders' | 'receipts' | 'tariff' | 'rates';

/** A file that was imported. Its id is that of its evidence. */
export interface ImportedTable {
  id: number;
  at: string;
  actor: string;
  kind: ImportedKind;
  format: string;
  /** The file's name. */
  source: string;
  sha256: string;
  /** The map that it was read by, where it has columns. */
  map: string | null;
  /** The map that was named, whole, as JSON: the file is read again by it. */
  column_map: string | null;
  /** A statement that does not add up was taken all the same. */
  allow_gap: 0 | 1;
  rows: number;
  new: number;
  changed: number;
  unchanged: number;
  skipped: number;
  /** The highest id of a receipt that was ever given: none is given twice. */
  last_receipt: number;
  undone_at: string | null;
  undone_by: string | null;
  undone_why: string | null;
}

/** An order of the shop's own book, as all imports together say. */
export interface OwnOrderTable {
  reference: string;
  ordered_on: string | null;
  status: 'open' | 'cancelled' | 'handed_over' | null;
  district: string | null;
  note: string | null;
  first_evidence_id: number;
  /** The import that last changed it. */
  evidence_id: number;
}

/** What the courier must collect for it. */
export interface OwnOrderAmountTable {
  reference: string;
  currency: string;
  cod: MoneyColumn;
}

/** What a later import said otherwise. Amounts as decimal text. */
export interface OwnOrderChangeTable {
  reference: string;
  evidence_id: number;
  field: string;
  /** Empty where the field is no amount. */
  currency: string;
  before: string | null;
  after: string | null;
}

/** A statement of a file of receipts. Amounts as decimal text. */
export interface BankStatementTable {
  evidence_id: number;
  position: number;
  account: string | null;
  currency: string;
  from_day: string | null;
  to_day: string | null;
  opening: string | null;
  closing: string | null;
  /** 1 where opening and lines are the closing, 0 where not, null where the file does not say both. */
  balanced: 0 | 1 | null;
}

/** A booked line of a bank account or cash book, once, however many files hold it. Positive is money that came in. */
export interface ReceiptTable {
  id: number;
  /** The import that brought it, and its place in that file. */
  evidence_id: number;
  line: number;
  account: string | null;
  date: string;
  value_date: string | null;
  amount: MoneyColumn;
  currency: string;
  text: string;
  counterparty: string | null;
  counterparty_account: string | null;
  reference: string | null;
  /** The cash book's own column for the invoice. */
  invoice: string | null;
}

/** A line of an imported file, by which later files are compared, and the receipt that it is. */
export interface ReceiptLineTable {
  evidence_id: number;
  position: number;
  receipt_id: number;
  account: string | null;
  bank_id: string | null;
  date: string;
  amount: MoneyColumn;
  currency: string;
  text: string;
}

/** A line of the rate card; null is any. */
export interface TariffLineTable {
  evidence_id: number;
  line: number;
  workflow: string | null;
  district: string | null;
  area: string | null;
  merchant_location: string | null;
  from_day: string | null;
  to_day: string | null;
  currency: string;
  fee: MoneyColumn;
  per_package: ColumnType<never, Units | null, Units | null>;
}

/** A rate of exchange, as decimal text. */
export interface RateLineTable {
  evidence_id: number;
  line: number;
  date: string;
  from_currency: string;
  to_currency: string;
  rate: string;
}

/** Receipts that pay invoices. A match that was taken away stays, marked. */
export interface ReceiptMatchTable {
  id: number;
  evidence_id: number;
  at: string;
  /** `remit`, or the person who made it. */
  actor: string;
  rule: string;
  currency: string;
  /** What the invoices asked for before it. */
  due: MoneyColumn;
  difference: MoneyColumn;
  difference_kind: string | null;
  note: string | null;
  /** What it rests on, for people. */
  why: string;
  /** The receipt that a debit takes back. */
  reverses: number | null;
  removed_at: string | null;
  /** `remit` where a receipt of it went with an import. */
  removed_by: string | null;
  removed_why: string | null;
}

export interface ReceiptMatchReceiptTable {
  match_id: number;
  receipt_id: number;
  amount: MoneyColumn;
}

export interface ReceiptMatchInvoiceTable {
  match_id: number;
  invoice_number: number;
  amount: MoneyColumn;
  /** The difference that a person named, as it lies on this invoice. */
  named: MoneyColumn;
}

export interface BooksSchema {
  imported: ImportedTable;
  own_order: OwnOrderTable;
  own_order_amount: OwnOrderAmountTable;
  own_order_change: OwnOrderChangeTable;
  bank_statement: BankStatementTable;
  receipt: ReceiptTable;
  receipt_line: ReceiptLineTable;
  tariff_line: TariffLineTable;
  rate_line: RateLineTable;
  receipt_match: ReceiptMatchTable;
  receipt_match_receipt: ReceiptMatchReceiptTable;
  receipt_match_invoice: ReceiptMatchInvoiceTable;
}

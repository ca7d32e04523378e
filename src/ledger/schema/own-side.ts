/**
 * Your own records: imports, orders, receipts with the invoices that they pay, tariffs and exchange rates. Days are ISO
 * dates, as the files state them; `from_day` and `to_day` are both included.
 */
import type { MaybeUnits, MoneyColumn } from './couriers.ts';

export type ImportedKind = 'orders' | 'receipts' | 'settlement' | 'tariff' | 'rates';

/** A file that was imported. Its id is that of its evidence. */
export interface ImportedTable {
  id: number;
  at: string;
  actor: string;
  kind: ImportedKind;
  format: string;
  source: string;
  sha256: string;
  /** The name of the column map that it was read with; null for formats that need none. */
  map: string | null;
  /** The column map whole, as JSON, so that the file can be read again. */
  column_map: string | null;
  /** 1 if the user had a statement taken that does not add up. */
  allow_gap: 0 | 1;
  /** The account that the user gave for lines that name none. */
  account: string | null;
  /**
   * `by-day`: a bank's id identifies a line with its day, amount and currency. Null for remit 1.0: the id alone did.
   */
  ids: 'by-day' | null;
  /** The key of the courier whose settlement sheet it is; null for a file of your own. */
  courier: string | null;
  /** A settlement sheet's run: its import brings what a sync does. */
  run_id: number | null;
  /** How many rows the file has, and how many of them were new, changed, as they were, or left out. */
  rows: number;
  new: number;
  changed: number;
  unchanged: number;
  skipped: number;
  /** The highest id that any receipt had by then, so that no id is given twice. */
  last_receipt: number;
  undone_at: string | null;
  undone_by: string | null;
  undone_why: string | null;
}

/** An order of the shop's own book, as all imports together state it. */
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

/** The cash that the courier must collect for one of your orders. */
export interface OwnOrderAmountTable {
  reference: string;
  currency: string;
  cod: MoneyColumn;
}

/** A field of one of your orders that a later import changed. Amounts are decimal text. */
export interface OwnOrderChangeTable {
  reference: string;
  evidence_id: number;
  field: string;
  /** Empty where the field is no amount. */
  currency: string;
  before: string | null;
  after: string | null;
}

/** An account statement in a file of receipts. Amounts are decimal text. */
export interface BankStatementTable {
  evidence_id: number;
  position: number;
  account: string | null;
  currency: string;
  from_day: string | null;
  to_day: string | null;
  opening: string | null;
  closing: string | null;
  /** 1 if opening and lines add up to closing, 0 if not, null if the file does not state both. */
  balanced: 0 | 1 | null;
}

/** A booked line of a bank account or cash book: one row, however many files have it. Positive is money coming in. */
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
  /** The replacement that took it out of the books; null while it counts. */
  replaced_by: number | null;
}

/** A line of an imported file, with which later files are compared, and the receipt that it stands for. */
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
  /** As in its receipt: the replacement that took it out of the books. */
  replaced_by: number | null;
  /** The account's balance after it, if the file states it. */
  balance: MaybeUnits;
}

/** A file taken as a correction: lines of its days that it lacks no longer count. Its id is that of its evidence. */
export interface ReceiptReplacementTable {
  id: number;
  import_id: number;
  at: string;
  actor: string;
  /** How many receipts it took out. */
  lines: number;
}

/** A line of the rate card. A condition that is null fits everything. */
export interface TariffLineTable {
  evidence_id: number;
  line: number;
  /** The name of the courier whose price it is; null for every courier without lines of its own. */
  of_courier: string | null;
  workflow: string | null;
  district: string | null;
  area: string | null;
  merchant_location: string | null;
  from_day: string | null;
  to_day: string | null;
  currency: string;
  fee: MoneyColumn;
  per_package: MaybeUnits;
  /** The kind of charge that it prices: `delivery`, or a kind in a settlement map. */
  charge: string | null;
  /** A share of the COD, in 1/10,000 of a percent, and its least and highest amount. */
  percent: MaybeUnits;
  min: MaybeUnits;
  max: MaybeUnits;
  /** The COD, and the weight in 1/10,000 of a kilogram, for which it holds: from, inclusive; to, exclusive. */
  cod_from: MaybeUnits;
  cod_to: MaybeUnits;
  weight_from: MaybeUnits;
  weight_to: MaybeUnits;
}

/** An exchange rate, as decimal text. */
export interface RateLineTable {
  evidence_id: number;
  line: number;
  date: string;
  from_currency: string;
  to_currency: string;
  rate: string;
}

/** Receipts that pay invoices, and amounts settled without a receipt. A match that was removed stays, marked. */
export interface ReceiptMatchTable {
  id: number;
  evidence_id: number;
  at: string;
  /** `remit`, or the person who made it. */
  actor: string;
  /** The rule that matched them; `manual` for a person's match, `settled` for an amount without a receipt. */
  rule: string;
  currency: string;
  /** The amount still due on the invoices before it. */
  due: MoneyColumn;
  /** What came in less what was due: negative if too little came. */
  difference: MoneyColumn;
  difference_kind: string | null;
  note: string | null;
  /** The grounds of the match, for people. */
  why: string;
  /** The earlier receipt whose money the courier took back with this match's debit; null for any other match. */
  reverses: number | null;
  /** The mismatch whose claim was given up, if the amount was written off for that; else null. */
  claim: string | null;
  /** For a receipt in another currency: units of it per unit of the invoices' currency, as decimal text. */
  rate: string | null;
  /** The receipt's currency; null if it is the invoices'. */
  paid_currency: string | null;
  removed_at: string | null;
  /** A person's name; `remit` if one of its receipts went away with an undone import. */
  removed_by: string | null;
  removed_why: string | null;
}

export interface ReceiptMatchReceiptTable {
  match_id: number;
  receipt_id: number;
  /** The part of the receipt that the match uses. */
  amount: MoneyColumn;
}

export interface ReceiptMatchInvoiceTable {
  match_id: number;
  invoice_number: number;
  amount: MoneyColumn;
  /** This invoice's part of the agreed difference: its outstanding amount falls by `amount` and by this. */
  named: MoneyColumn;
}

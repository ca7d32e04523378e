/** Your own records: imports, orders, receipts, tariffs and exchange rates. Days are ISO dates, as the files state them. */

import type { MaybeUnits, MoneyColumn } from './couriers.ts';

export type ImportedKind = 'orders' | 'receipts' | 'settlement' | 'tariff' | 'rates';

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
  /** The account that a person gave to lines that name none. */
  account: string | null;
  /** Of receipts: how the bank's ids were taken; null by remit 1.0, to which one was a line's identity on any day and of any amount. */
  ids: 'by-day' | null;
  /** The key of the courier whose sheet it is; null for a file of your own. */
  courier: string | null;
  /** The run that it was: of a settlement, which brings what a sync does. */
  run_id: number | null;
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
  /** The replacement that took it out of the books; null while it counts. */
  replaced_by: number | null;
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
  replaced_by: number | null;
  /** What the account held after it, where a table says it. */
  balance: MaybeUnits;
}

/** A file that was taken as a correction: lines of its days that it lacks no longer count. Its id is that of its evidence. */
export interface ReceiptReplacementTable {
  id: number;
  import_id: number;
  at: string;
  actor: string;
  /** How many receipts it took out. */
  lines: number;
}

/** A line of the rate card; null is any. */
export interface TariffLineTable {
  evidence_id: number;
  line: number;
  /** The name of the courier whose price it is; null: of every courier that no line names. */
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
  /** The kind of charge that it prices: `delivery`, or one of a settlement map. */
  charge: string | null;
  /** A share of the COD, 1/10,000 of a percent a unit, and the least and the most that it comes to. */
  percent: MaybeUnits;
  min: MaybeUnits;
  max: MaybeUnits;
  /** The COD and the weight from which it holds, and up to which, that one left out. */
  cod_from: MaybeUnits;
  cod_to: MaybeUnits;
  weight_from: MaybeUnits;
  weight_to: MaybeUnits;
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

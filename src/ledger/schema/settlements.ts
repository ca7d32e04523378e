/** What settlement sheets say beside what an invoice of the API does, and which receipts pay which invoices. */

import type { MaybeUnits, MoneyColumn } from './couriers.ts';

/** A payout number that is no integer, or one of those that remit gives, and the integer that stands for it. Kept for good. */
export interface SettlementNumberTable {
  /** As the sheet writes it. */
  number_text: string;
  number: number;
}

/** An invoice that came of a sheet. */
export interface SettlementTable {
  number: number;
  /** The import that last changed it. */
  evidence_id: number;
}

export interface SettlementRowTable {
  invoice_number: number;
  position: number;
  /** The first line of the sheet that is of the order. */
  line: number;
  delivered_on: string | null;
  /** 1/10,000 of the sheet's unit of weight. */
  weight: MaybeUnits;
}

/** The net that a sheet states of an invoice's row in one currency. */
export interface SettlementRowNetTable {
  invoice_number: number;
  position: number;
  currency: string;
  net: MoneyColumn;
}

/** A figure of a header that the sheet does not state: the sum of the rows stands for it. */
export interface SettlementComputedTable {
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

/** The same of an invoice's row. */
export interface InvoiceOrderChargeTable extends InvoiceChargeTable {
  position: number;
}

/** The charges and taxes of a version's header, as decimal text. */
export interface InvoiceVersionChargeTable extends Omit<InvoiceChargeTable, 'amount'> {
  version: number;
  amount: string;
}

/** Receipts that pay invoices, and settlements, which have no receipt. A match that was taken away stays, marked. */
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
  /** Of a settlement: the mismatch whose claim was written off. */
  claim: string | null;
  /** A receipt in another currency: units of it for one of the invoices', as decimal text. */
  rate: string | null;
  /** That currency; null where it is the invoices' own. */
  paid_currency: string | null;
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

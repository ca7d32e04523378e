/** What settlement sheets state beyond the fields of an API invoice, and which receipts pay which invoices. */
import type { MaybeUnits, MoneyColumn } from './couriers.ts';

/** The integer that stands for a payout number such as `P-17`, which cannot be an invoice number, for good. */
export interface SettlementNumberTable {
  /** As the sheet writes it. */
  number_text: string;
  number: number;
}

/** An invoice that a sheet brought. */
export interface SettlementTable {
  number: number;
  /** The import that last changed it. */
  evidence_id: number;
}

export interface SettlementRowTable {
  invoice_number: number;
  position: number;
  /** The order's first line in the sheet. */
  line: number;
  delivered_on: string | null;
  /** 1/10,000 of the sheet's unit of weight. */
  weight: MaybeUnits;
}

/** The net that a sheet states for an invoice's row, in one currency. */
export interface SettlementRowNetTable {
  invoice_number: number;
  position: number;
  currency: string;
  net: MoneyColumn;
}

/** A figure in an invoice's header that the sheet does not state: it is the sum of the rows. */
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

/** A part of the fee in an invoice's row. */
export interface InvoiceOrderChargeTable extends InvoiceChargeTable {
  position: number;
}

/** The charges and taxes of a version's header, as decimal text. */
export interface InvoiceVersionChargeTable extends Omit<InvoiceChargeTable, 'amount'> {
  version: number;
  amount: string;
}

/** Receipts that pay invoices, and amounts settled without a receipt. A match that was removed stays, marked. */
export interface ReceiptMatchTable {
  id: number;
  evidence_id: number;
  at: string;
  /** `remit`, or the person who made it. */
  actor: string;
  rule: string;
  currency: string;
  /** The amount still due on the invoices before it. */
  due: MoneyColumn;
  difference: MoneyColumn;
  difference_kind: string | null;
  note: string | null;
  /** The grounds of the match, for people. */
  why: string;
  /** The receipt that this match's debit takes back. */
  reverses: number | null;
  /** The mismatch whose written-off claim it settles. */
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
  amount: MoneyColumn;
}

export interface ReceiptMatchInvoiceTable {
  match_id: number;
  invoice_number: number;
  amount: MoneyColumn;
  /** This invoice's part of the difference that a person named. */
  named: MoneyColumn;
}

import type { MoneyColumn } from './couriers.ts';

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
  amount: MoneyColumn;
}

export interface ReceiptMatchInvoiceTable {
  match_id: number;
  invoice_number: number;
  amount: MoneyColumn;
  /** This invoice's part of the agreed difference. */
  named: MoneyColumn;
}

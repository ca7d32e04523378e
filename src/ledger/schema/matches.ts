/** Which receipts pay which invoices. */

import type { MoneyColumn } from './columns.ts';

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

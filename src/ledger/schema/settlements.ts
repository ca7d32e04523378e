/** What settlement sheets say beside what an invoice of the API does. */

import type { MaybeUnits, MoneyColumn } from './columns.ts';

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

/** An invoice's row, as its sheet has it. */
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

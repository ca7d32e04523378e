/** What settlement sheets state beyond the fields of an API invoice. */
import type { MaybeUnits, MoneyColumn } from './couriers.ts';

/** The integer that the ledger keeps for a payout number such as `P-17`, which is no integer. It never changes. */
export interface SheetNumberTable {
  /** As the sheet writes it. */
  number_text: string;
  number: number;
}

/** The table `settlement`: an invoice that a sheet brought. */
export interface SheetInvoiceTable {
  number: number;
  /** The import that last changed it. */
  evidence_id: number;
}

export interface SheetRowTable {
  invoice_number: number;
  position: number;
  /** The order's first line in the sheet. */
  line: number;
  delivered_on: string | null;
  /** 1/10,000 of the sheet's unit of weight. */
  weight: MaybeUnits;
}

/** The net that a sheet states for an invoice's row, in one currency. */
export interface SheetRowNetTable {
  invoice_number: number;
  position: number;
  currency: string;
  net: MoneyColumn;
}

/** A figure in an invoice's header that the sheet does not state: it is the sum of the rows. */
export interface SheetComputedTable {
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

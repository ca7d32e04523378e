import type { ReturnsConvention } from '../../base/returns.ts';
import type { MappedFile } from './receipts-file.ts';
import type { Table } from './table.ts';

/** Amounts by kind: `{ delivery: "3.00", handling: "0.50" }`. */
type ByKind = Readonly<Record<string, string>>;

/**
 * The amounts that a row states in one currency, as exact decimal texts. The courier keeps back charges and taxes, and
 * pays the net. What is not stated is null, or absent from charges and taxes.
 */
export interface StatedAmounts {
  readonly currency: string;
  readonly cod: string | null;
  readonly charges: ByKind;
  readonly taxes: ByKind;
  readonly net: string | null;
}

/** An order's amounts in one currency. */
export type SettledAmount = StatedAmounts & { readonly cod: string };

export interface SettledRow {
  readonly line: number;
  readonly order: string | null;
  /** Never null if `order` is null. */
  readonly reference: string | null;
  readonly workflow: 'STANDARD' | 'RETURN';
  readonly delivered_on: string | null;
  /** In kilograms, as decimal text; null if the sheet has none. */
  readonly weight: string | null;
  readonly amounts: readonly SettledAmount[];
}

/** The totals that the sheet states for a payout in one currency. */
export type StatedTotal = StatedAmounts & { readonly line: number };

/** A payout: the orders that the courier settled at once. It becomes an invoice. */
export interface Settlement {
  /** The payout's number, as the sheet writes it. */
  readonly invoice: string;
  readonly issued_on: string;
  /** A status of the API if the sheet's words for it are known, else those words; null if the sheet has none. */
  readonly status: string | null;
  readonly rows: readonly SettledRow[];
  readonly totals: readonly StatedTotal[];
}

/** A courier's settlement sheet as it was read: its payouts, in the order in which they come. */
export interface SettlementFile extends MappedFile {
  /** How a RETURN row counts when an invoice's totals are computed from its rows. */
  readonly returns: ReturnsConvention;
  readonly settlements: readonly Settlement[];
  /** The table that was read from a PDF. */
  readonly table?: Table;
}

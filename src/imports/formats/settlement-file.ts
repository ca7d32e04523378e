import type { ReturnsConvention } from '../../base/returns.ts';
import type { Format } from './format.ts';
import type { Skipped } from './receipts-file.ts';
import type { Table } from './table.ts';

/** Amounts by the name of their kind: `{ delivery: "3.00", handling: "0.50" }`. */
export type ByKind = Readonly<Record<string, string>>;

/** What a row says in one currency, as exact decimal texts. Charges and taxes are what the courier keeps back. */
export interface SettledAmount {
  readonly currency: string;
  readonly cod: string;
  readonly charges: ByKind;
  readonly taxes: ByKind;
  /** The row's own net; null where the sheet has none. */
  readonly net: string | null;
}

export interface SettledRow {
  readonly line: number;
  /** At least one of the two. */
  readonly order: string | null;
  readonly reference: string | null;
  readonly workflow: 'STANDARD' | 'RETURN';
  readonly delivered_on: string | null;
  /** As decimal text; null where the sheet has none. */
  readonly weight: string | null;
  readonly amounts: readonly SettledAmount[];
}

/** The sheet's own totals of a payout in one currency; null and absent kinds are not stated. */
export interface StatedTotal {
  readonly line: number;
  readonly currency: string;
  readonly cod: string | null;
  readonly charges: ByKind;
  readonly taxes: ByKind;
  readonly net: string | null;
}

/** A payout: the orders that the courier settled at once. */
export interface Settlement {
  /** The payout's number, as the sheet writes it. */
  readonly invoice: string;
  readonly issued_on: string;
  /** What the sheet says of it: a status of the API where the words are known, else its words; null where it says nothing. */
  readonly status: string | null;
  readonly rows: readonly SettledRow[];
  readonly totals: readonly StatedTotal[];
}

/** What a courier's settlement sheet says: its payouts, in the order in which they come. */
export interface SettlementFile {
  readonly format: Format;
  /** The map that it was read by. */
  readonly map: string;
  /** What a RETURN row is in a header that is computed. */
  readonly returns: ReturnsConvention;
  readonly settlements: readonly Settlement[];
  readonly skipped: readonly Skipped[];
  readonly notes: readonly string[];
  /** Of a PDF: the table that was read from it. */
  readonly table?: Table;
}

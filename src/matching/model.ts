import { compareText } from '../base/text.ts';
import type { Units } from '../money/units.ts';

/** A line of a bank statement or cash book that is a payment by, or to, the courier. */
export interface Receipt {
  readonly id: string;
  /** The day on which it was booked, `2026-10-09`. */
  readonly date: string;
  readonly currency: string;
  /** A credit, money that came in, is positive; a debit, money that was taken back or paid out, is negative. */
  readonly amount: Units;
  /** The part that no match has used yet, with the amount's sign. */
  readonly left: Units;
  /** The line's text and counterparty. */
  readonly text: string;
  /** The cash book's invoice column. */
  readonly invoiceHint?: string | null;
}

/** One currency of an invoice. An invoice in two currencies is two of these. */
export interface Invoice {
  readonly number: number;
  /** The day of its date, in the books' time zone. */
  readonly date: string;
  readonly currency: string;
  /** `net_due_to_merchant`; negative if you owe. Zero for an invoice that vanished. */
  readonly net: Units;
  /** What was matched earlier, less what was taken back. */
  readonly matched: Units;
  /** Differences that a person agreed to and named, such as a bank charge: no longer outstanding. Zero if absent. */
  readonly named?: Units;
}

/** Outstanding = net − matched − agreed differences. */
export function outstandingOf({ net, matched, named }: Pick<Invoice, 'net' | 'matched' | 'named'>): Units {
  return net - matched - (named ?? 0n);
}

/** Compares invoices by date, those of the same day by number. */
export function oldestFirst(a: Pick<Invoice, 'date' | 'number'>, b: Pick<Invoice, 'date' | 'number'>): number {
  return compareText(a.date, b.date) || a.number - b.number;
}

/**
 * How a match was found, in the order in which the rules are tried: the text names invoices that add up to the receipt;
 * one receipt is one invoice; one receipt is the sum of a set, or of a run by date; several receipts are one invoice; a
 * debit takes an earlier receipt back; named invoices are paid in part or too much. `manual`: by a person. `settled`: a
 * settlement, without a receipt.
 */
export type MatchRule =
  | 'named'
  | 'equal'
  | 'set'
  | 'run'
  | 'several-receipts'
  | 'taken-back'
  | 'named-part'
  | 'manual'
  | 'settled';

export type ReceiptShare = { readonly id: string; readonly amount: Units };

/** What an invoice receives by a match; negative if money is taken back. */
export type InvoiceShare = { readonly number: number; readonly amount: Units };

/**
 * Receipts and invoices of one currency that belong together. The shares of the receipts add up exactly to those of the
 * invoices. Only a match of a receipt that was taken back before it paid anything has no invoices.
 */
export interface Match {
  readonly rule: MatchRule;
  readonly currency: string;
  readonly receipts: readonly ReceiptShare[];
  readonly invoices: readonly InvoiceShare[];
  /** What was outstanding of those invoices before the match. */
  readonly due: Units;
  /** The receipts' shares less `due`: negative if paid in part, positive if paid too much. */
  readonly difference: Units;
  /** For `taken-back` alone: the id of the receipt that the debit takes back. */
  readonly reverses?: string;
  readonly evidence: string;
}

/** One way to match a receipt: invoices, and the receipts that would pay them together. */
export type MatchWay = { readonly receipts: readonly string[]; readonly invoices: readonly number[] };

/** A receipt that can be matched in more than one way, so that nothing of it is booked. */
export interface Ambiguity {
  readonly receipt: string;
  readonly currency: string;
  /** What is left of the receipt. */
  readonly amount: Units;
  readonly rule: MatchRule;
  /** At most {@link MOST_WAYS}. */
  readonly ways: readonly MatchWay[];
  /** There are more ways than are listed, or the search stopped at its limit of work (`too many ways`). */
  readonly tooMany: boolean;
  /** The couriers that can claim the receipt, if there are several; then there are no ways. */
  readonly couriers?: readonly string[];
}

/** The most ways that are listed of a receipt. */
export const MOST_WAYS = 20;

export interface MoneyToMatch {
  readonly receipts: readonly Receipt[];
  readonly invoices: readonly Invoice[];
  /** Matches in force, already taken into account in `left` and `matched`. Needed to reverse a payment. */
  readonly held?: readonly Match[];
  readonly options: {
    /** Days after an invoice's date within which a receipt that does not name it may be its payment (`match_days`). */
    readonly matchDays: number;
  };
}

export interface MatchOutcome {
  /** The new matches, in the order in which they were found. */
  readonly matches: readonly Match[];
  readonly ambiguous: readonly Ambiguity[];
  readonly unmatched: {
    /** The ids of receipts that are not used up and that no rule explains. */
    readonly receipts: readonly string[];
    /** Invoices with something outstanding to which no receipt was ever matched. */
    readonly invoices: readonly { readonly number: number; readonly currency: string }[];
  };
}

import type { Units } from '../../money/index.ts';

/** A line of a bank statement or cash book that is the courier's. */
export interface Receipt {
  readonly id: string;
  /** The day on which it was booked, `2026-10-09`. */
  readonly date: string;
  readonly currency: string;
  /** Positive where money came in, negative where it was taken back. */
  readonly amount: Units;
  /** What of it no match has used yet, with the amount's sign. */
  readonly left: Units;
  /** The line's text and counterparty. */
  readonly text: string;
  /** What the cash book's own column for the invoice says. */
  readonly invoiceHint?: string | null;
}

/** One currency of an invoice. An invoice in two currencies is two of these. */
export interface Invoice {
  readonly number: number;
  /** The day of `issued_at`, in its own offset. */
  readonly date: string;
  readonly currency: string;
  /** `net_due_to_merchant`; negative where the merchant owes. Zero for an invoice that vanished. */
  readonly net: Units;
  /** What earlier matches brought, less what was taken back. */
  readonly matched: Units;
  /** Differences that a person named (a bank charge) and that are no longer asked for; zero where absent. */
  readonly named?: Units;
}

/**
 * How a match was found, in the order in which the rules are tried: the numbers in the text tally; one receipt is one
 * invoice; one receipt is the sum of a set, or of a run by date; several receipts are one invoice; money taken back is
 * an earlier receipt; named invoices are paid in part or too much. `manual` is a person's.
 */
export type MatchRule = 'named' | 'equal' | 'set' | 'run' | 'several-receipts' | 'taken-back' | 'named-part' | 'manual';

/** Part of a receipt that a match uses. */
export interface ReceiptShare {
  readonly id: string;
  readonly amount: Units;
}

/** What a match brings to an invoice; negative where it takes back. */
export interface InvoiceShare {
  readonly number: number;
  readonly amount: Units;
}

/**
 * Receipts and invoices of one currency that belong together. What the receipts give is what the invoices get, to the
 * last digit; only a receipt that was taken back before it met an invoice has none.
 */
export interface Match {
  readonly rule: MatchRule;
  readonly currency: string;
  readonly receipts: readonly ReceiptShare[];
  readonly invoices: readonly InvoiceShare[];
  /** What those invoices still asked for before the match. */
  readonly due: Units;
  /** The receipts' shares less `due`: negative paid in part, positive paid too much. */
  readonly difference: Units;
  /** `taken-back` alone: the receipt that the debit takes back. */
  readonly reverses?: string;
  /** What the match rests on, for people. */
  readonly evidence: string;
}

/** Invoices, with the receipts that would pay them together. */
export interface Way {
  readonly receipts: readonly string[];
  readonly invoices: readonly number[];
}

/** A receipt that can be explained in more ways than one: nothing of it is booked. */
export interface Ambiguity {
  readonly receipt: string;
  readonly currency: string;
  /** What is left of the receipt. */
  readonly amount: Units;
  readonly rule: MatchRule;
  /** At most {@link MOST_WAYS}. */
  readonly ways: readonly Way[];
  /** There are more ways than are listed, or the search was stopped at its bound of work (`too many ways`). */
  readonly tooMany: boolean;
}

/** The ways of a receipt that are listed. */
export const MOST_WAYS = 20;

export interface MatchOptions {
  /** Days after an invoice's date in which a receipt that does not name it may be its payment (`match_days`). */
  readonly matchDays: number;
}

export interface MatchInput {
  readonly receipts: readonly Receipt[];
  readonly invoices: readonly Invoice[];
  /** Matches that are booked already and in force; what they used is in `left` and `matched`. Needed to take a payment back. */
  readonly held?: readonly Match[];
  readonly options: MatchOptions;
}

export interface MatchOutcome {
  /** The new matches, in the order in which they were found. */
  readonly matches: readonly Match[];
  readonly ambiguous: readonly Ambiguity[];
  readonly unmatched: {
    /** Receipts of which something is left, and no rule has anything to say. */
    readonly receipts: readonly string[];
    /** Invoices that ask for money, or owe it, and have met no receipt. */
    readonly invoices: readonly { readonly number: number; readonly currency: string }[];
  };
}

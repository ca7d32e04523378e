import type { Units } from '../../src/money/index.ts';

/**
 * The accounts that remit posts to, by what they are for. `receivables`: what customers owe the merchant.
 * `uninvoiced_cod`: collected by the courier and on no invoice yet. `unallocated`: received, and no invoice is known for
 * it. `differences`: what a person named, and what an invoice's own net does not explain.
 */
export const JOURNAL_ACCOUNTS = [
  'receivables',
  'uninvoiced_cod',
  'courier_receivable',
  'delivery_fees',
  'bank',
  'unallocated',
  'differences',
  'opening',
] as const;
export type JournalAccount = (typeof JOURNAL_ACCOUNTS)[number];

export interface JournalLine {
  readonly account: JournalAccount;
  /** Positive is debit, negative is credit; never zero. */
  readonly amount: Units;
}

/** What a transaction is about, for whoever follows it back to its documents. */
export interface JournalReferences {
  readonly invoice?: number;
  readonly order?: string;
  readonly reference?: string;
  readonly receipt?: string;
}

/** One booking, in one currency. Its lines add up to zero. */
export interface JournalTransaction {
  /** Stable: the same event has the same id in every export, so that one made again is recognised. */
  readonly id: string;
  /** `2026-10-09`. */
  readonly date: string;
  readonly currency: string;
  readonly narration: string;
  readonly references: JournalReferences;
  readonly lines: readonly JournalLine[];
}

export interface JournalBalance {
  readonly account: JournalAccount;
  readonly currency: string;
  readonly amount: Units;
}

/** A period's bookings. */
export interface Journal {
  /** As asked for: `2026-10`, `2026-Q4`. */
  readonly period: string;
  /** The first and the last day. */
  readonly from: string;
  readonly to: string;
  /** What the accounts held before the first day. */
  readonly opening: readonly JournalBalance[];
  /** By date, then id. */
  readonly transactions: readonly JournalTransaction[];
}

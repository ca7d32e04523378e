/** What checks found, what people decided, and what was claimed. Amounts are decimal text, counts integers as text. */

import type { ClaimState } from '../../base/states.ts';

export type { ClaimState };

export type Severity = 'error' | 'warning' | 'info';

export type MismatchStatus = 'open' | 'acknowledged' | 'resolved';

export type MismatchUnit = 'money' | 'count' | 'days';

/** A mismatch; amounts are plain decimal text, counts integers as text. */
export interface MismatchTable {
  id: string;
  code: string;
  severity: Severity;
  period: string;
  /** What it is about in one text: `invoice 10009`, `order 86DW546HQX`, `listing 2026-09`. */
  subject: string;
  invoice_number: number | null;
  order_id: string | null;
  reference_id: string | null;
  currency: string | null;
  field: string | null;
  expected: string | null;
  actual: string | null;
  difference: string | null;
  unit: MismatchUnit | null;
  effect: string | null;
  /** What is at stake, in the currency: the effect where there is one. */
  amount: string | null;
  /** What is wrong and what to do: a sentence's id and parameters, as JSON. */
  sentence: string;
  /** The same in English, as it was said when it was stored: for readers in SQL. */
  message: string;
  status: MismatchStatus;
  note: string | null;
}

/** The months in which a mismatch shows: its own, and for an order on several invoices each of theirs. */
export interface MismatchMonthTable {
  period: string;
  mismatch_id: string;
}

/** The actor of a change that a check made; otherwise it is the person's name. */
export const REMIT = 'remit';

/** The history of a mismatch's status. */
export interface MismatchEventTable {
  mismatch_id: string;
  evidence_id: number;
  at: string;
  /** {@link REMIT}, or the person's name. */
  actor: string;
  from_status: MismatchStatus | null;
  to_status: MismatchStatus;
  /** What a person wrote; null where they wrote nothing, and where remit moved it. */
  note: string | null;
  /** Why remit moved it: a sentence's id and parameters, as JSON. */
  sentence: string | null;
}

/** The history of what a mismatch that is not resolved takes from you or gives you. */
export interface MismatchEffectTable {
  mismatch_id: string;
  evidence_id: number;
  at: string;
  /** The mismatch's own month then. */
  period: string;
  /** Its effect from then on; null where it had none any more, or was resolved. */
  effect: string | null;
}

export type ClaimAnswer = 'accepted' | 'refused';

export interface ClaimTable {
  mismatch_id: string;
  state: ClaimState;
  /** What the courier said to it, where it said yes or no. */
  answer: ClaimAnswer | null;
  /** The evidence that holds the claim as it was sent, when that was, and by whom. */
  evidence_id: number;
  at: string;
  actor: string;
  /** When it came into its state. */
  moved_at: string;
  /** The finding's figures as they were then. */
  currency: string | null;
  unit: string | null;
  expected: string | null;
  actual: string | null;
  effect: string | null;
  /** The part of the claim in which it stood, its number there, and what was claimed: an amount without a sign. */
  section: 'owed-to-us' | 'owed-by-us' | 'confirm';
  line: number;
  claimed: string;
}

export interface ClaimEventTable {
  mismatch_id: string;
  evidence_id: number;
  at: string;
  /** `remit` where a check saw it, otherwise the person's name. */
  actor: string;
  state: ClaimState;
  answer: ClaimAnswer | null;
  /** What a person wrote; null where they wrote nothing, and where remit moved it. */
  note: string | null;
  /** Why remit moved it: a sentence's id and parameters, as JSON. */
  sentence: string | null;
  currency: string | null;
  effect: string | null;
}

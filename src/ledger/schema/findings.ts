/** Mismatches, the decisions about them, and the claims. Amounts are plain decimal text, counts integers as text. */
import type { ClaimState, Severity } from '../../base/states.ts';

export type { ClaimState, Severity };

export type MismatchStatus = 'open' | 'acknowledged' | 'resolved';

export type MismatchUnit = 'money' | 'count' | 'days';

/** Something about money that a check found wrong. */
export interface MismatchTable {
  /** Sixteen letters and digits, the same in each run of the check. */
  id: string;
  /** The check that found it, such as `closed-period-changed`. */
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
  /** `actual` less `expected`. */
  difference: string | null;
  unit: MismatchUnit | null;
  /** What it does to your money: negative where you are short. Null where it moves none. */
  effect: string | null;
  /** What is at stake, in the currency: the effect where there is one. */
  amount: string | null;
  /** What is wrong and what to do: a sentence's id and parameters, as JSON. */
  sentence: string;
  /** `sentence` in English, as it read when it was stored: for people who query in SQL. */
  message: string;
  status: MismatchStatus;
  note: string | null;
}

/** The months in which a mismatch shows: its `period`, and for an order on several invoices the month of each. */
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

/** The history of a mismatch's effect: the money that it takes from you or gives you until it is resolved. */
export interface MismatchEffectTable {
  mismatch_id: string;
  evidence_id: number;
  at: string;
  /** The mismatch's month then. */
  period: string;
  /** Its effect from then on; null where it had none any more, or was resolved. */
  effect: string | null;
}

export type ClaimAnswer = 'accepted' | 'refused';

/** A mismatch that you claimed from the courier. */
export interface ClaimTable {
  mismatch_id: string;
  state: ClaimState;
  /** Whether the courier accepted or refused; null if it said neither. */
  answer: ClaimAnswer | null;
  /** The evidence with the claim as it was sent, when it was sent, and by whom. */
  evidence_id: number;
  at: string;
  actor: string;
  /** When it came into its state. */
  moved_at: string;
  /** The mismatch's figures when it was claimed. */
  currency: string | null;
  unit: string | null;
  expected: string | null;
  actual: string | null;
  effect: string | null;
  /** The section of the claim's letter, the line there, and the amount claimed, without a sign. */
  section: 'owed-to-us' | 'owed-by-us' | 'confirm';
  line: number;
  claimed: string;
}

export interface ClaimEventTable {
  mismatch_id: string;
  evidence_id: number;
  at: string;
  /** {@link REMIT} if a check saw it, otherwise the person's name. */
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

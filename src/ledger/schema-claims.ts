/** The tables of what was claimed from the courier. Amounts as decimal text, as mismatches hold them. */

import type { ClaimState } from '../states.ts';

export type { ClaimState };

export type ClaimAnswer = 'accepted' | 'refused';

/** What was last claimed of a mismatch. */
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
  /** The figures as they were claimed. */
  currency: string | null;
  unit: string | null;
  expected: string | null;
  actual: string | null;
  effect: string | null;
}

/** The history of a claim. */
export interface ClaimEventTable {
  mismatch_id: string;
  evidence_id: number;
  at: string;
  /** `remit` where a check saw it, otherwise the person's name. */
  actor: string;
  state: ClaimState;
  answer: ClaimAnswer | null;
  note: string | null;
  /** What the finding came to then. */
  currency: string | null;
  effect: string | null;
}

export interface ClaimsSchema {
  claim: ClaimTable;
  claim_event: ClaimEventTable;
}

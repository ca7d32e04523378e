/** The parts of `check --json` that are compared. */
export interface Mismatch {
  readonly id: string;
  readonly code: string;
  readonly severity: string;
  readonly period: string;
  readonly invoice_number: number | null;
  readonly order_id: string | null;
  readonly reference_id: string | null;
  readonly currency: string | null;
  readonly field: string | null;
  readonly expected: string | null;
  readonly actual: string | null;
  readonly difference: string | null;
  readonly unit: string | null;
  readonly effect: string | null;
  readonly amount: string | null;
  readonly message: string;
  readonly status: string;
}

export interface AnswerStep {
  readonly code: string;
  readonly count: number;
  readonly effect: string;
}

export interface AnswerBridge {
  readonly period: string;
  readonly currency: string;
  readonly courier: string;
  readonly ours: string | null;
  readonly steps: readonly AnswerStep[];
  readonly unexplained: string | null;
  readonly outside: readonly AnswerStep[];
  readonly short: string;
}

export interface CheckAnswer {
  readonly open: { readonly error: number; readonly warning: number; readonly info: number };
  readonly new: number;
  readonly resolved: number;
  readonly skipped: readonly { readonly code: string; readonly why: string }[];
  readonly incomplete: readonly { readonly period: string; readonly why: string }[];
  readonly coverage: readonly { code: string; compared: number; not_comparable: number; found: number }[];
  readonly bridge: readonly AnswerBridge[];
  readonly mismatches: readonly Mismatch[];
}

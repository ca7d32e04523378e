import { decimal } from '../units.ts';

/** A finding that must be there. A field that is absent is left open: any value passes. */
export interface Expected {
  readonly code: string;
  /** `one`: exactly one such; `some`: at least one, further ones pass; `may`: passes, and need not be there. */
  readonly times: 'one' | 'some' | 'may';
  readonly severity?: 'error' | 'warning' | 'info';
  readonly period?: string;
  readonly invoice_number?: number | null;
  readonly order_id?: string | null;
  readonly reference?: string;
  readonly currency?: string | null;
  readonly field?: string | null;
  readonly expected?: string | null;
  readonly actual?: string | null;
  readonly difference?: string | null;
  readonly unit?: 'money' | 'count' | 'days' | null;
  readonly effect?: string | null;
  readonly amount?: string | null;
  /** The order's record shows it, the row itself does not: only a newer record or row denies it. Not compared. */
  readonly byRecord?: boolean;
}

/** Money that a finding takes in the bridge: where it stands, and how much. */
export interface Part {
  readonly code: string;
  readonly period: string;
  readonly currency: string;
  readonly effect: bigint;
  /** Parts of one finding in one month count once. */
  readonly finding: string;
}

export const compared = (expected: bigint, actual: bigint) => ({
  expected: decimal(expected),
  actual: decimal(actual),
  difference: decimal(actual - expected),
  unit: 'money' as const,
});

export const counted = (expected: number, actual: number) => ({
  expected: String(expected),
  actual: String(actual),
  difference: String(actual - expected),
  unit: 'count' as const,
});

/** Null for what takes no money. */
export const effectOf = (effect: bigint | null): { effect: string | null } => ({
  effect: effect === null ? null : decimal(effect),
});

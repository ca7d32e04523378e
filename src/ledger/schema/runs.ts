/** Runs, the account, how its invoices show returns, and what could not be read. */
import type { AdoptedReturns, ReturnsConvention } from '../../base/returns.ts';

export interface RunTable {
  id: number;
  command: string;
  started_at: string;
  finished_at: string | null;
  status: RunStatus;
  remit_version: string;
  /** The months that it was about, as a period; null where it was about all. */
  period: string | null;
  /** What the command prints with --json, as JSON, without its rows. */
  summary: string | null;
}

export type RunStatus = 'running' | 'complete' | 'partial' | 'failed' | 'interrupted';

export interface AccountTable {
  id: number;
  api_url: string;
  organisation_name: string;
  brand: string | null;
  logo_url: string | null;
  primary_color: string | null;
  profile_sha256: string;
  logo_sha256: string | null;
}

/** A convention of the courier's for RETURN orders, when a check adopted it: the last one holds. */
export interface ReturnsAdoptedTable {
  /** The evidence that says so. */
  id: number;
  at: string;
  convention: ReturnsConvention;
  basis: AdoptedReturns['basis'];
  /** The conventions that gave the same figures then, with commas between them. */
  among: string;
}

/**
 * A document, or a part of one, whose newest form was received and cannot be read. The row goes when it can be, or when a complete
 * walk no longer shows it.
 */
export interface UnreadableTable {
  /** `invoice` (a detail), `listed` (a row of a month's list), `order`, `page`, `profile`. */
  kind: string;
  /** The invoice's number, the order's id; for what has no id of its own, its place (`2026-10 results[3]`). */
  subject: string;
  /** The month of the list that it stands in, or of the invoice; null for the order book. */
  period: string | null;
  evidence_id: number;
  at: string;
  /** Of the body it was in; null where that was too large to keep. */
  sha256: string | null;
  why: string;
}

/** What became known, append-only and chained. */
import type { AdoptedReturns, ReturnsConvention } from '../../base/returns.ts';

/**
 * One thing that became known: a document received, a walk over a list concluded, a run begun, a finding, a person's
 * decision. Append-only; `id` counts from 1 without a gap, and `chain` binds each row to all before it.
 */
export interface EvidenceTable {
  id: number;
  at: string;
  /** Such as `invoice-list`, `import` or `decision`. The database allows any, so that a new kind needs no migration. */
  kind: string;
  run_id: number | null;
  /** The key of the courier that it came from or is about; null for what is of the whole books. */
  courier: string | null;
  /** Who decided, imported or closed; null for what remit does by itself. */
  actor: string | null;
  /** What it is about: a period for invoice lists, an invoice number for details, a mismatch for a decision. */
  subject: string;
  /** Where it came from: an address, or a file's name. */
  source: string | null;
  /** The list that a page belongs to (`invoices 2026-10`, `orders`), and which walk over it brought it, from 1. */
  listing: string | null;
  walk: number | null;
  /** SHA-256 of the body as received; null if there is none. */
  sha256: string | null;
  /** Why the body could not be read; null if it could. */
  fault: string | null;
  /** Anything known besides the body, as canonical JSON. */
  data: string | null;
  /** SHA-256 over the row and the `chain` of the row before it. */
  chain: string;
}

/** The head of the chain: one row, updated with each evidence row, so that it shows if the last rows were cut off. */
export interface ChainTable {
  id: number;
  evidence_id: number;
  head: string;
}

/** A body as received, stored once however often it was seen. Append-only. */
export interface EvidenceBodyTable {
  sha256: string;
  encoding: Encoding;
  /** Bytes before compression. */
  size: number;
  body: Uint8Array;
}

export type Encoding = 'gzip' | 'br' | 'identity';

/** Orders of the order book as received, each once, packed together: parts `first_part` and so on. Append-only. */
export interface EvidencePackTable {
  first_part: number;
  /** The size of each part in bytes, as JSON. */
  sizes: string;
  encoding: Encoding;
  body: Uint8Array;
}

/** Which part of which pack holds the bytes with a SHA-256. Append-only. */
export interface EvidencePartTable {
  sha256: Uint8Array;
  part: number;
}

/** A run of a command that brings evidence. */
export interface RunTable {
  id: number;
  command: string;
  started_at: string;
  finished_at: string | null;
  status: RunStatus;
  remit_version: string;
  /** The months that it covered, as a period; null if it covered all. */
  period: string | null;
  /** The JSON that the command prints with --json, without its rows. */
  summary: string | null;
}

export type RunStatus = 'running' | 'complete' | 'partial' | 'failed' | 'interrupted';

/** The merchant's account with the courier, as its profile states it: one row. */
export interface AccountTable {
  /** Always 1. */
  id: number;
  api_url: string;
  organisation_name: string;
  brand: string | null;
  logo_url: string | null;
  primary_color: string | null;
  profile_sha256: string;
  logo_sha256: string | null;
}

/** How the courier's invoices show RETURN orders, as a check worked it out: the last row holds. */
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
 * A document, or a part of one, whose newest form was received and cannot be read. The row is deleted once it can be
 * read, or once a complete walk over its list no longer shows it.
 */
export interface UnreadableTable {
  /** `invoice` (a detail), `listed` (a row of a month's list), `order`, `page`, `profile`. */
  kind: string;
  /** The invoice's number, the order's id; for what has no id of its own, its place (`2026-10 results[3]`). */
  subject: string;
  /** The month of its list, or of the invoice; null for the order book. */
  period: string | null;
  evidence_id: number;
  at: string;
  /** SHA-256 of the body it was in; null if that was too large to keep. */
  sha256: string | null;
  why: string;
}

import type { Place } from '../place.ts';
import { dialectOf } from './dialect/index.ts';
import type { LedgerSchema } from './schema.ts';
import { DERIVED_TABLES, EVIDENCE_TABLES } from './tables.ts';

/** Who may do what with the ledger's tables; reading is everybody's. */
export interface TableRights {
  /** Nobody changes or removes rows of these. */
  readonly appendOnly: readonly string[];
  /** A syncer brings and derives all rows. */
  readonly all: readonly string[];
  /** A clerk's decisions and closes change these. */
  readonly clerk: readonly string[];
}

type Table = keyof LedgerSchema;

const CLOSE_LOG: readonly Table[] = [
  'period_close',
  'period_close_figure',
  'period_close_document',
  'period_close_finding',
  'period_reopen',
];

const APPEND_ONLY: readonly Table[] = [
  'evidence',
  'evidence_body',
  'evidence_pack',
  'evidence_part',
  'mismatch_event',
  'claim_event',
  ...CLOSE_LOG,
];

const CLERK: readonly Table[] = [
  'evidence',
  'evidence_body',
  'chain',
  'mismatch',
  'mismatch_month',
  'mismatch_event',
  'claim',
  'claim_event',
  'receipt_match',
  'receipt_match_receipt',
  'receipt_match_invoice',
  ...CLOSE_LOG,
];

/** SQL that gives four roles their rights on a ledger; null where its place knows no roles. */
export function grantsOf(place: Place): string | null {
  const all = Object.keys({ ...EVIDENCE_TABLES, ...DERIVED_TABLES });
  return dialectOf(place).grants?.(place, { appendOnly: APPEND_ONLY, all, clerk: CLERK }) ?? null;
}

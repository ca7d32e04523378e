import type { Place } from '../base/place.ts';
import { dialectOf } from './dialect/index.ts';
import type { LedgerSchema } from './schema.ts';
import { ALL_TABLES } from './tables.ts';

type Table = keyof LedgerSchema;

/** The close log. Its tables are in both lists below: they are append-only, and a clerk closes and reopens months. */
const CLOSE_LOG: readonly Table[] = [
  'period_close',
  'period_close_figure',
  'period_close_item',
  'period_close_document',
  'period_close_finding',
  'period_reopen',
];

/** The tables whose rows nobody may change or remove: those that the migrations make append-only. */
const APPEND_ONLY: readonly Table[] = [
  'evidence',
  'evidence_body',
  'evidence_pack',
  'evidence_part',
  'mismatch_event',
  'mismatch_effect',
  'claim_event',
  'returns_adopted',
  ...CLOSE_LOG,
];

/** The tables that a clerk may write to: decisions on findings, claims, matches, closes. Imports are the syncer's. */
const CLERK: readonly Table[] = [
  'evidence',
  'evidence_body',
  'chain',
  'mismatch',
  'mismatch_month',
  'mismatch_event',
  'mismatch_effect',
  'claim',
  'claim_event',
  'receipt_match',
  'receipt_match_receipt',
  'receipt_match_invoice',
  'returns_adopted',
  ...CLOSE_LOG,
];

/** SQL that gives four roles (owner, syncer, clerk, reader) their rights on a ledger; null for a file. */
export async function grantsOf(place: Place): Promise<string | null> {
  const all = Object.keys(ALL_TABLES);
  const dialect = await dialectOf(place);
  return dialect.grants?.(place, { appendOnly: APPEND_ONLY, all, clerk: CLERK }) ?? null;
}

import type { MatchEvidence } from '../derive/decisions.ts';
import {
  appendEvidence,
  type EvidenceRow,
  type LedgerTransaction,
  type NewEvidence,
  sealBody,
  unsealBody,
} from '../ledger/index.ts';
import { readSettlementsWithoutReceipt } from '../ledger/queries/receipts/matches.ts';
import type { MismatchDecision } from '../ledger/write/mismatches.ts';

interface NewMatches {
  readonly at: Date;
  readonly actor: string | null;
  readonly matches: readonly MatchEvidence[];
  readonly subject?: 'receipts' | 'settlements';
}

/** Appends matches or settlements as one piece of evidence and derives their rows. Call it inside a transaction. */
export async function recordMatches(
  trx: LedgerTransaction,
  { at, actor, matches, subject = 'receipts' }: NewMatches,
): Promise<EvidenceRow> {
  const body = await sealBody(Buffer.from(JSON.stringify(matches)));
  return recordEvidence(trx, { at, kind: 'match', actor, subject, body });
}

/** Appends one piece of evidence and derives its rows. Call it inside a transaction. @returns the evidence */
export async function recordEvidence(trx: LedgerTransaction, newEvidence: NewEvidence): Promise<EvidenceRow> {
  // Most runs of `remit check` record nothing, and start sooner without what reads documents.
  const { Deriver } = await import('../derive/deriver.ts');
  const evidence = await appendEvidence(trx, newEvidence);
  const body = newEvidence.body ? unsealBody({ encoding: 'gzip', ...newEvidence.body }) : null;
  await new Deriver().derive(trx, evidence, body);
  return evidence;
}

/** A person's decision: the status that mismatches get, and why. */
export interface NewDecision extends MismatchDecision {
  readonly by: string;
  readonly at: Date;
}

/** The subject of the evidence of a decision about mismatches: the id of the only one, or how many there are. */
export function subjectOf(ids: readonly string[]): string {
  return ids.length === 1 ? ids[0]! : `${ids.length} mismatches`;
}

/**
 * Appends a decision about mismatches as evidence, with the rows derived from it. Reopening mismatches also undoes the
 * settlements that were made with them. Call it inside a transaction.
 */
export async function recordDecision(trx: LedgerTransaction, { ids, to_status, note, by, at }: NewDecision) {
  const data = { ids, to_status, note };
  const evidence = await recordEvidence(trx, { at, kind: 'decision', actor: by, subject: subjectOf(ids), data });
  if (to_status === 'open') {
    const why = note ?? 'the claim is open again';
    const settlements = (await readSettlementsWithoutReceipt(trx)).filter(
      ({ claim: finding, removed_at }) => removed_at === null && finding !== null && ids.includes(finding),
    );
    for (const { id } of settlements) await recordRemoved(trx, { id, why, by, at });
  }
  return evidence;
}

/** Undoes a match or a settlement: appends that as evidence. Call it inside a transaction. */
export async function recordRemoved(
  trx: LedgerTransaction,
  { id, why, by, at }: { readonly id: number; readonly why: string; readonly by: string; readonly at: Date },
): Promise<void> {
  await recordEvidence(trx, { at, kind: 'match-removed', actor: by, subject: String(id), data: { why } });
}

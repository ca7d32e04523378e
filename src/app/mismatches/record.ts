import { applyDecision } from '../../derive/decisions.ts';
import { appendEvidence, type LedgerTransaction, type MismatchStatus } from '../../ledger/index.ts';
import { readSettlementsWithoutReceipt } from '../../ledger/queries/receipts/matches.ts';
import { recordEvidence } from '../record.ts';

/** A person's decision: the status that mismatches get, and why. */
export interface NewDecision {
  readonly ids: readonly string[];
  readonly to_status: MismatchStatus;
  readonly note: string | null;
  readonly by: string;
  readonly at: Date;
}

/**
 * Appends a decision about mismatches as evidence, with the rows derived from it. Reopening mismatches also undoes the
 * settlements that were made with them. Call it inside a transaction.
 */
export async function recordDecision(trx: LedgerTransaction, { ids, to_status, note, by, at }: NewDecision) {
  const data = { ids, to_status, note };
  const subject = ids.length === 1 ? ids[0]! : `${ids.length} mismatches`;
  const evidence = await appendEvidence(trx, { at, kind: 'decision', actor: by, subject, data });
  await applyDecision(trx, evidence, data);
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

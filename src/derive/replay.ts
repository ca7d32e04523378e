import { type EvidenceRow, type LedgerTransaction, PartReader, readBody } from '../ledger/index.ts';
import { type KnownBy, readEvidence, readEvidenceData } from '../ledger/queries/evidence/chain.ts';
import { Deriver } from './deriver.ts';

export interface ReplayOptions {
  /** Replays only the evidence that was there by then. */
  readonly until?: KnownBy;
  /** Receives evidence that cannot be derived, which is then skipped; without it the error is thrown. */
  readonly onFault?: (evidence: EvidenceRow, error: Error) => void;
}

/**
 * Derives every row again from the evidence of one ledger, into another.
 *
 * @param from the ledger that holds the evidence; nothing is written to it
 * @param into an empty ledger, outside any transaction: each piece of evidence gets one
 * @throws LedgerError if a body is missing or damaged, unless `onFault` takes it
 */
export async function replay(
  from: LedgerTransaction,
  into: LedgerTransaction,
  { until, onFault }: ReplayOptions = {},
): Promise<void> {
  const deriver = new Deriver();
  const parts = new PartReader(from);
  for await (const evidence of readEvidence(from, until)) {
    const bodyOf = (sha256: string) => readBody(from, sha256);
    const dataOf = (id: number) => readEvidenceData(from, id);
    // A derivation asks for no body where the evidence has none.
    const bodies = { parts, bodyOf, dataOf, body: () => bodyOf(evidence.sha256 ?? '') };
    try {
      await into.transaction().execute((trx) => deriver.derive(trx, evidence, bodies));
    } catch (error) {
      if (!onFault) throw error;
      onFault(evidence, error as Error);
    }
  }
}

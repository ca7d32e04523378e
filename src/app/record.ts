import type { MatchEvidence } from '../derive/decisions.ts';
import {
  appendEvidence,
  type EvidenceRow,
  type LedgerTransaction,
  type NewEvidence,
  PartReader,
  readBody,
  sealBody,
  unsealBody,
} from '../ledger/index.ts';
import { readEvidenceData } from '../ledger/queries/evidence/chain.ts';

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
  await new Deriver().derive(trx, evidence, {
    parts: new PartReader(trx),
    // Evidence without a body says all in its data: nobody asks for its body, and '' would find none.
    body: async () => (newEvidence.body ? unsealBody({ encoding: 'gzip', ...newEvidence.body }) : readBody(trx, '')),
    bodyOf: (sha256) => readBody(trx, sha256),
    dataOf: (id) => readEvidenceData(trx, id),
  });
  return evidence;
}

import { Deriver } from '../derive/deriver.ts';
import { KINDS } from '../derive/kinds.ts';
import type { MatchEvidence } from '../derive/matches.ts';
import {
  appendEvidence,
  type EvidenceRow,
  type LedgerTransaction,
  type NewEvidence,
  PartReader,
  readBody,
  sealBody,
} from '../ledger/index.ts';

/** Keeps matches as evidence and makes their rows. Call it inside a transaction. */
export async function keepMatches(
  trx: LedgerTransaction,
  {
    at,
    actor,
    matches,
  }: { readonly at: Date; readonly actor: string | null; readonly matches: readonly MatchEvidence[] },
): Promise<void> {
  const body = await sealBody(Buffer.from(JSON.stringify(matches)));
  await keep(trx, { at, kind: 'match', actor, subject: 'receipts', body });
}

/** Keeps one thing that became known and has its rows made. Call it inside a transaction. @returns its evidence */
export async function keep(trx: LedgerTransaction, what: NewEvidence): Promise<EvidenceRow> {
  const evidence = await appendEvidence(trx, what);
  await new Deriver(KINDS).derive(trx, evidence, {
    parts: new PartReader(trx),
    body: () => readBody(trx, evidence.sha256 ?? ''),
    bodyOf: (sha256) => readBody(trx, sha256),
  });
  return evidence;
}

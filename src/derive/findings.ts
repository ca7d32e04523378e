import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import { followDecision, followFindings } from '../ledger/write/claims.ts';
import {
  type Decision,
  type FindingsDelta,
  type Resolutions,
  writeDecision,
  writeFindings,
} from '../ledger/write/mismatches.ts';
import type { Derivation, Derive } from './deriver.ts';

/** Makes the rows of what a check found: mismatches, the months in which they show, and their history. */
export async function applyFindings(
  trx: Derivation['trx'],
  { id, at }: Pick<EvidenceRow, 'id' | 'at'>,
  delta: FindingsDelta,
): Promise<void> {
  const change = { evidenceId: id, at };
  await writeFindings(trx, delta, change);
  await followFindings(trx, delta, change);
}

/** Makes the rows of what a person decided. The evidence says who. */
export async function applyDecision(
  trx: Derivation['trx'],
  { id, at, actor }: Pick<EvidenceRow, 'id' | 'at' | 'actor'>,
  decision: Decision,
): Promise<void> {
  const change = { evidenceId: id, at };
  const who = actor ?? 'unknown';
  await writeDecision(trx, decision, who, change);
  await followDecision(trx, decision, who, change);
}

/** Makes the rows of what a person decided in a workbook. The evidence holds the workbook, and says who. */
export async function applyResolutions(
  trx: Derivation['trx'],
  evidence: Pick<EvidenceRow, 'id' | 'at' | 'actor'>,
  { decisions }: Resolutions,
): Promise<void> {
  for (const decision of decisions) await applyDecision(trx, evidence, decision);
}

/** What a check found, read from its body. */
export const deriveFindings: Derive = async ({ trx, evidence, body }) =>
  applyFindings(trx, evidence, JSON.parse((await body()).toString('utf8')) as FindingsDelta);

/** What a person decided, kept beside the evidence. */
export const deriveDecision: Derive = async ({ trx, evidence }) =>
  applyDecision(trx, evidence, JSON.parse(evidence.data!) as Decision);

/** What a person decided in a workbook, kept beside the evidence: the workbook itself is not read again. */
export const deriveResolutions: Derive = async ({ trx, evidence }) =>
  applyResolutions(trx, evidence, JSON.parse(evidence.data!) as Resolutions);

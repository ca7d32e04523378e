import type { AdoptedReturns } from '../base/returns.ts';
import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import { writeAdoptedReturns } from '../ledger/write/account.ts';
import { followDecision, followFindings } from '../ledger/write/claims.ts';
import {
  type Decision,
  type FindingsDelta,
  type Resolutions,
  writeDecision,
  writeFindings,
} from '../ledger/write/mismatches.ts';
import type { Derivation, Derive } from './derivation.ts';

/** Writes what a check found: mismatches, the months in which they show, and their history. */
export async function applyFindings(
  trx: Derivation['trx'],
  { id, at }: Pick<EvidenceRow, 'id' | 'at'>,
  delta: FindingsDelta,
): Promise<void> {
  const change = { evidenceId: id, at };
  await writeFindings(trx, delta, change);
  await followFindings(trx, delta, change);
}

/** Writes a person's decision about mismatches; the evidence's actor decided. */
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

/** Writes a person's decisions from a workbook, which the evidence holds. */
export async function applyResolutions(
  trx: Derivation['trx'],
  evidence: Pick<EvidenceRow, 'id' | 'at' | 'actor'>,
  { decisions }: Resolutions,
): Promise<void> {
  for (const decision of decisions) await applyDecision(trx, evidence, decision);
}

/** What a check found, from the body of its evidence. */
export const deriveFindings: Derive = async ({ trx, evidence, body }) =>
  applyFindings(trx, evidence, JSON.parse((await body()).toString('utf8')) as FindingsDelta);

/** A person's decision, from the `data` of its evidence. */
export const deriveDecision: Derive = async ({ trx, evidence }) =>
  applyDecision(trx, evidence, JSON.parse(evidence.data!) as Decision);

/** A person's decisions from a workbook. They are in the `data` of the evidence, so the workbook is not read again. */
export const deriveResolutions: Derive = async ({ trx, evidence }) =>
  applyResolutions(trx, evidence, JSON.parse(evidence.data!) as Resolutions);

/** How the courier's invoices show RETURN orders, as a check learnt it. */
export const deriveReturnsAdopted: Derive = async ({ trx, evidence }) =>
  writeAdoptedReturns(trx, JSON.parse(evidence.data!) as AdoptedReturns, evidence);

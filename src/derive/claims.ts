import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import {
  type Answered,
  type SentLine,
  writeAnswer,
  writeClaims,
  writeWithdrawn,
  writeWrittenOff,
} from '../ledger/write/claims.ts';
import { type Decision, writeDecision } from '../ledger/write/mismatches.ts';
import type { Derivation, Derive } from './derivation.ts';

/** Claims that were written off or taken back, and why. */
export type WrittenOff = Pick<Decision, 'ids'> & { readonly note: string };

type By = Pick<EvidenceRow, 'id' | 'at' | 'actor'>;

/** Writes a claim that was sent: its findings become acknowledged, their notes as they were, and claimed. */
export async function applyClaim(trx: Derivation['trx'], by: By, lines: readonly SentLine[]): Promise<void> {
  const [who, change] = [by.actor ?? 'unknown', { evidenceId: by.id, at: by.at }];
  const ids = lines.map(({ id }) => id);
  await writeDecision(trx, { ids, to_status: 'acknowledged', note: null }, who, change);
  await writeClaims(trx, lines, who, change);
}

export async function applyAnswer(trx: Derivation['trx'], by: By, answered: Answered): Promise<void> {
  await writeAnswer(trx, answered, by.actor ?? 'unknown', { evidenceId: by.id, at: by.at });
}

/** Writes off claims: their findings become resolved, with the reason. */
export async function applyWrittenOff(trx: Derivation['trx'], by: By, { ids, note }: WrittenOff): Promise<void> {
  const [who, change] = [by.actor ?? 'unknown', { evidenceId: by.id, at: by.at }];
  await writeDecision(trx, { ids, to_status: 'resolved', note }, who, change);
  await writeWrittenOff(trx, { ids, note }, who, change);
}

/** Takes claims back: their findings are to do again, with the notes that they have. */
export async function applyWithdrawn(trx: Derivation['trx'], by: By, { ids, note }: WrittenOff): Promise<void> {
  const [who, change] = [by.actor ?? 'unknown', { evidenceId: by.id, at: by.at }];
  await writeDecision(trx, { ids, to_status: 'open', note: null }, who, change);
  await writeWithdrawn(trx, { ids, note }, who, change);
}

export const deriveClaim: Derive = async ({ trx, evidence, body }) =>
  applyClaim(trx, evidence, JSON.parse((await body()).toString('utf8')) as SentLine[]);

export const deriveAnswer: Derive = async ({ trx, evidence }) =>
  applyAnswer(trx, evidence, JSON.parse(evidence.data!) as Answered);

/** Claims that a person wrote off. */
export const deriveWrittenOff: Derive = async ({ trx, evidence }) =>
  applyWrittenOff(trx, evidence, JSON.parse(evidence.data!) as WrittenOff);

/** Claims that a person took back. */
export const deriveWithdrawn: Derive = async ({ trx, evidence }) =>
  applyWithdrawn(trx, evidence, JSON.parse(evidence.data!) as WrittenOff);

import type { EvidenceRow } from '../ledger/evidence/chain.ts';
import { type Answered, type SentLine, writeAnswer, writeClaims, writeWrittenOff } from '../ledger/write/claims.ts';
import { type Decision, writeDecision } from '../ledger/write/mismatches.ts';
import type { Derivation, Derive } from './deriver.ts';

/** What was given up, and why. */
export type WrittenOff = Pick<Decision, 'ids'> & { readonly note: string };

type By = Pick<EvidenceRow, 'id' | 'at' | 'actor'>;

/** Makes the rows of a claim that was sent: its findings are acknowledged with the note of each, and claimed. */
export async function applyClaim(trx: Derivation['trx'], by: By, lines: readonly SentLine[]): Promise<void> {
  const [who, change] = [by.actor ?? 'unknown', { evidenceId: by.id, at: by.at }];
  const byNote = new Map<string, string[]>();
  for (const { id, note } of lines) byNote.set(note, [...(byNote.get(note) ?? []), id]);
  for (const [note, ids] of byNote) await writeDecision(trx, { ids, to_status: 'acknowledged', note }, who, change);
  await writeClaims(trx, lines, who, change);
}

/** Makes the rows of what the courier answered. */
export async function applyAnswer(trx: Derivation['trx'], by: By, answered: Answered): Promise<void> {
  await writeAnswer(trx, answered, by.actor ?? 'unknown', { evidenceId: by.id, at: by.at });
}

/** Makes the rows of claims that were given up: their findings are resolved for that reason. */
export async function applyWrittenOff(trx: Derivation['trx'], by: By, { ids, note }: WrittenOff): Promise<void> {
  const [who, change] = [by.actor ?? 'unknown', { evidenceId: by.id, at: by.at }];
  await writeDecision(trx, { ids, to_status: 'resolved', note }, who, change);
  await writeWrittenOff(trx, { ids, note }, who, change);
}

/** A claim, read from its body: what was sent. */
export const deriveClaim: Derive = async ({ trx, evidence, body }) =>
  applyClaim(trx, evidence, JSON.parse((await body()).toString('utf8')) as SentLine[]);

export const deriveAnswer: Derive = async ({ trx, evidence }) =>
  applyAnswer(trx, evidence, JSON.parse(evidence.data!) as Answered);

export const deriveWrittenOff: Derive = async ({ trx, evidence }) =>
  applyWrittenOff(trx, evidence, JSON.parse(evidence.data!) as WrittenOff);

/** Evidence of what people decided, for lists of it. */
import type { EvidenceRow } from '../../evidence/chain.ts';
import type { EvidenceKind } from '../../schema.ts';
import { isOneOf } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** The evidence of some kinds, oldest first. @param after only what became known after this row */
export function readEvidenceOfKinds(
  db: LedgerReader,
  kinds: readonly EvidenceKind[],
  after = 0,
): Promise<EvidenceRow[]> {
  return db
    .selectFrom('evidence')
    .selectAll()
    .where(isOneOf('kind', kinds))
    .where('id', '>', after)
    .orderBy('id')
    .execute();
}

/** The proposals of one kind that neither were approved nor refused, oldest first. */
export async function readWaiting(db: LedgerReader, what: string): Promise<EvidenceRow[]> {
  const rows = await readEvidenceOfKinds(db, ['proposal', 'proposal-approved', 'proposal-refused']);
  const ended = new Set(rows.flatMap(({ kind, subject }) => (kind === 'proposal' ? [] : [Number(subject)])));
  return rows.filter(({ id, kind, subject }) => kind === 'proposal' && subject === what && !ended.has(id));
}

/** The number of the last evidence; 0 while nothing is known. */
export async function readLastEvidence(db: LedgerReader): Promise<number> {
  const row = await db.selectFrom('chain').select('evidence_id').where('id', '=', 1).executeTakeFirst();
  return row?.evidence_id ?? 0;
}

/** The body of the answer that was kept under a key; null where there is none. */
export async function findAnswered(db: LedgerReader, key: string): Promise<string | null> {
  const row = await db
    .selectFrom('evidence')
    .select('sha256')
    .where('kind', '=', 'answered')
    .where('subject', '=', key)
    .orderBy('id')
    .executeTakeFirst();
  return row?.sha256 ?? null;
}

/** Everybody under whose name something was decided, programs too. */
export async function readActors(db: LedgerReader): Promise<string[]> {
  const rows = await db.selectFrom('evidence').select('actor').distinct().where('actor', 'is not', null).execute();
  return rows.map(({ actor }) => actor!);
}

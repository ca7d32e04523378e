/** Evidence of what people decided, proposed, sent and set. */
import { isSamePerson } from '../../../base/names.ts';
import type { EvidenceRow } from '../../evidence/chain.ts';
import { isOneOf } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** The evidence of some kinds, oldest first. @param after only what became known after this row */
export function readEvidenceOfKinds(db: LedgerReader, kinds: readonly string[], after = 0) {
  const evidence = db.selectFrom('evidence').selectAll().where(isOneOf('kind', kinds)).where('id', '>', after);
  return evidence.orderBy('id').execute();
}

export async function readProposal(db: LedgerReader, id: number): Promise<EvidenceRow | undefined> {
  const proposals = db.selectFrom('evidence').selectAll().where('kind', '=', 'proposal');
  return proposals.where('id', '=', id).executeTakeFirst();
}

/** Makes a function from a program's name to those who made its tokens; a person's name has no tokens. */
export async function readMakers(db: LedgerReader): Promise<(name: string) => string[]> {
  const tokens = await readEvidenceOfKinds(db, ['token-made']);
  return (name) => tokens.filter(({ subject }) => isSamePerson(subject, name)).map(({ actor }) => actor!);
}

/**
 * The kinds of evidence after which a check would find the same as before: what checks found or adopted, what people
 * decided about it, and what was proposed, closed or printed. Any other kind, also a new one, is a fact: after it the
 * months are checked again before they are claimed.
 */
const NO_FACTS = [
  'check',
  'findings',
  'returns-adopted',
  'decision',
  'resolutions',
  'assignment',
  'claim',
  'claim-letter',
  'claim-answered',
  'claim-withdrawn',
  'claim-written-off',
  'answered',
  'proposal',
  'proposal-approved',
  'proposal-refused',
  'close',
  'statement',
  'close-pack',
  'view-saved',
  'view-removed',
  'token-made',
  'token-revoked',
];

/** The number of the last fact; 0 while there is none. */
export async function readLastFact(db: LedgerReader): Promise<number> {
  const facts = db.selectFrom('evidence').select('id').where('kind', 'not in', NO_FACTS);
  return (await facts.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0;
}

/**
 * The proposals that were neither approved nor refused, oldest first.
 *
 * @param proposed the decision that they propose, such as `import`
 */
export async function readWaiting(db: LedgerReader, proposed: string): Promise<EvidenceRow[]> {
  const rows = await readEvidenceOfKinds(db, ['proposal', 'proposal-approved', 'proposal-refused']);
  // A proposal's subject is the decision that it proposes, an approval's or refusal's is the number of the proposal.
  const ended = new Set(rows.flatMap(({ kind, subject }) => (kind === 'proposal' ? [] : [Number(subject)])));
  return rows.filter(({ id, kind, subject }) => kind === 'proposal' && subject === proposed && !ended.has(id));
}

/** The number of the last evidence; 0 while nothing is known. */
export async function readLastEvidence(db: LedgerReader): Promise<number> {
  return (await db.selectFrom('chain').select('evidence_id').where('id', '=', 1).executeTakeFirst())?.evidence_id ?? 0;
}

/** The SHA-256 of the answer that was kept under an idempotency key; null if there is none. */
export async function findAnswered(db: LedgerReader, key: string): Promise<string | null> {
  const answers = db.selectFrom('evidence').select('sha256').where('kind', '=', 'answered').where('subject', '=', key);
  return (await answers.orderBy('id').executeTakeFirst())?.sha256 ?? null;
}

/** Every name under which something was decided, programs' names too. */
export async function readActors(db: LedgerReader): Promise<string[]> {
  const rows = await db.selectFrom('evidence').select('actor').distinct().where('actor', 'is not', null).execute();
  return rows.map(({ actor }) => actor!);
}

/** A letter that was sent with a claim. */
export interface LetterRecord {
  readonly id: number;
  readonly at: string;
  readonly actor: string | null;
  /** The evidence of its claim. */
  readonly claim: number;
  readonly sha256: string;
  readonly period: string;
  readonly months: readonly string[];
  readonly format: string;
  readonly language: string;
  /** Its lines about no finding; letters of older versions have none. */
  readonly taken_off?: readonly TakenOffLine[];
}

/**
 * A letter's line that makes it ask for less than its findings come to. `receipt-unallocated` takes off a receipt that
 * no invoice explains; `beyond-balance` what is more than the courier owes. `left-for-later` gives back: findings of
 * 100.00 and such a receipt of 130.00 leave 30.00, which the next letter takes off.
 */
export interface TakenOffLine {
  readonly code: string;
  /** The receipt's day; null for any other line. */
  readonly day: string | null;
  readonly currency: string;
  /** Plain decimal text: negative if it is taken off, positive if it is given back. */
  readonly claimed: string;
}

/** The letters of a courier, the newest first. */
export async function readLetters(db: LedgerReader): Promise<LetterRecord[]> {
  const evidence = db.selectFrom('evidence').select(['id', 'at', 'actor', 'subject', 'sha256', 'data']);
  const rows = await evidence.where('kind', '=', 'claim-letter').orderBy('id', 'desc').execute();
  return rows.map(({ id, at, actor, subject, sha256, data }) => {
    const letter = JSON.parse(data!) as Pick<LetterRecord, 'period' | 'months' | 'format' | 'language' | 'taken_off'>;
    return { id, at, actor, claim: Number(subject), sha256: sha256!, ...letter };
  });
}

/**
 * The recorded settings of the books: the last, or the last before a row of evidence. If there were none by then, the
 * first that were ever recorded; null if none were.
 *
 * @param db of all couriers
 */
export async function readSettings(db: LedgerReader, before = Number.MAX_SAFE_INTEGER): Promise<unknown> {
  const ofBooks = db.selectFrom('evidence').select('data').where('kind', '=', 'settings');
  const records = ofBooks.where('subject', '=', 'books').limit(1);
  const lastBefore = await records.where('id', '<', before).orderBy('id', 'desc').executeTakeFirst();
  const row = lastBefore ?? (await records.orderBy('id').executeTakeFirst());
  return row ? JSON.parse(row.data!) : null;
}

/** The letters of claims, as they were sent. */
import type { LedgerReader } from '../snapshot.ts';

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
}

/** The letters of a courier, the newest first. */
export async function readLetters(db: LedgerReader): Promise<LetterRecord[]> {
  const rows = await db
    .selectFrom('evidence')
    .select(['id', 'at', 'actor', 'subject', 'sha256', 'data'])
    .where('kind', '=', 'claim-letter')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id, at, actor, subject, sha256, data }) => {
    const said = JSON.parse(data!) as Pick<LetterRecord, 'period' | 'months' | 'format' | 'language'>;
    return { id, at, actor, claim: Number(subject), sha256: sha256!, ...said };
  });
}

/** The statements and close packs that remit wrote: the hashes of their files, and the figures of statements. */
import type { EvidenceTable } from '../../schema.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';
import type { ChainPlace } from './chain.ts';

/** A statement's figures in one currency, as plain decimals. */
export interface StatedFigures {
  readonly currency: string;
  readonly net_due_to_merchant: string;
  readonly outstanding: string;
  /** What you were short (negative) or ahead. */
  readonly short: string;
}

export interface StatementData {
  /** The SHA-256 of the file as remit wrote it. It is the first field: the lookup compares the JSON's beginning. */
  readonly file_sha256: string;
  /** In every currency, even those that the file leaves out. */
  readonly figures: readonly StatedFigures[];
}

/** Whether remit wrote a statement with this SHA-256. If it did, nobody has changed the file since. */
export async function isWrittenByRemit(db: LedgerReader, sha256: string): Promise<boolean> {
  const written = db.selectFrom('evidence').select('id').where('kind', '=', 'statement');
  return (await written.where('data', 'like', `{"file_sha256":"${sha256}"%`).limit(1).executeTakeFirst()) !== undefined;
}

/** Whether remit ever recorded a statement, or an index of statements, of this subject. */
export async function isStatementRecorded(db: LedgerReader, subject: string): Promise<boolean> {
  const written = db.selectFrom('evidence').select('id').where('kind', '=', 'statement');
  return (await written.where('subject', '=', subject).limit(1).executeTakeFirst()) !== undefined;
}

export interface ClosePackData {
  readonly manifest_sha256: string;
}

export async function knowsManifest(db: LedgerReader, manifest_sha256: string): Promise<boolean> {
  const data: ClosePackData = { manifest_sha256 };
  const packs = db.selectFrom('evidence').select('id').where('kind', '=', 'close-pack');
  return (await packs.where('data', '=', JSON.stringify(data)).limit(1).executeTakeFirst()) !== undefined;
}

/**
 * The last statement of a month from an earlier state of the ledger. One from the same state has the same figures, and
 * does not count. Null if there is none.
 *
 * @param head the newest evidence that figures depend on (`readFigureHead`)
 */
export async function readStatementBefore(db: LedgerReader, month: string, head: ChainPlace | null) {
  if (head === null) return null;
  const [row] = await rowsOf<Pick<EvidenceTable, 'id' | 'at' | 'data'>>(db)`
    select id, at, data from evidence
    where kind = 'statement' and subject = ${month} and id < ${head.id} order by id desc limit 1`;
  if (!row) return null;
  const { figures = null } = JSON.parse(row.data!) as Partial<StatementData>;
  return { id: row.id, at: row.at, figures };
}

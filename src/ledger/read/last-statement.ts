/** Statements that were written: what their files were, and what they said. */
import type { ChainPlace } from './evidence.ts';
import type { LedgerReader } from './snapshot.ts';

/** What a statement said in one currency, as plain decimals. */
export interface StatedFigures {
  readonly currency: string;
  readonly net_due_to_merchant: string;
  readonly outstanding: string;
  /** What the merchant was short (negative) or ahead. */
  readonly short: string;
}

/** A statement that was written. */
export interface WrittenStatementRecord {
  /** Its row of evidence, which comes after all that it shows. */
  readonly id: number;
  /** When it was written; ISO, UTC. */
  readonly at: string;
  /** Null for one that an earlier remit wrote: it kept none. */
  readonly figures: readonly StatedFigures[] | null;
}

/** What the evidence of a written statement says beside its file's name. */
export interface StatementData {
  /** The file as it left remit. First: it is looked up by how the text begins. */
  readonly file_sha256: string;
  /** A line a currency, whichever of them the file shows. */
  readonly figures: readonly StatedFigures[];
}

/** Whether a file with this SHA-256 was written as a statement: as it left remit, nobody has touched it. */
export async function knowsWritten(db: LedgerReader, sha256: string): Promise<boolean> {
  const row = await db
    .selectFrom('evidence')
    .select('id')
    .where('kind', '=', 'statement')
    .where('data', 'like', `{"file_sha256":"${sha256}"%`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** What the evidence of a close pack says. */
export interface ClosePackData {
  readonly manifest_sha256: string;
}

/** Whether a close pack was made with this manifest. */
export async function knowsManifest(db: LedgerReader, manifest_sha256: string): Promise<boolean> {
  const data: ClosePackData = { manifest_sha256 };
  const row = await db
    .selectFrom('evidence')
    .select('id')
    .where('kind', '=', 'close-pack')
    .where('data', '=', JSON.stringify(data))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The last statement of a month that was written before something else became known: one of the same state of the ledger is the same
 * statement, and no earlier one. Null where there is none.
 *
 * @param head the newest evidence that figures depend on (`readFigureHead`)
 */
export async function readStatementBefore(
  db: LedgerReader,
  month: string,
  head: ChainPlace | null,
): Promise<WrittenStatementRecord | null> {
  if (head === null) return null;
  const row = await db
    .selectFrom('evidence')
    .select(['id', 'at', 'data'])
    .where('kind', '=', 'statement')
    .where('subject', '=', month)
    .where('id', '<', head.id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  const { figures = null } = JSON.parse(row.data!) as Partial<StatementData>;
  return { id: row.id, at: row.at, figures };
}

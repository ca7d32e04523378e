/** The bodies that evidence keeps as received, and the packs of orders. */
import { inPages } from '../../chunks.ts';
import { unsealBody } from '../../evidence/bodies.ts';
import type { LedgerReader } from '../snapshot.ts';

export function readBodies(db: LedgerReader) {
  const readPage = (after: string) =>
    db.selectFrom('evidence_body').selectAll().where('sha256', '>', after).orderBy('sha256').limit(50).execute();
  return inPages('', readPage, ({ sha256 }) => sha256);
}

export async function readReferredBodies(db: LedgerReader): Promise<Set<string>> {
  const rows = await db.selectFrom('evidence').select('sha256').distinct().where('sha256', 'is not', null).execute();
  return new Set(rows.map(({ sha256 }) => sha256!));
}

/** Each pack, read alone: it holds many orders. */
export function readPacks(db: LedgerReader) {
  const readPage = (after: number) =>
    db.selectFrom('evidence_pack').selectAll().where('first_part', '>', after).orderBy('first_part').limit(1).execute();
  return inPages(Number.MIN_SAFE_INTEGER, readPage, ({ first_part }) => first_part);
}

/** The hashes of the parts `from` to `to`, by number, in hexadecimal; a sound ledger has one hash for each. */
export async function readPartHashes(db: LedgerReader, from: number, to: number): Promise<Map<number, string[]>> {
  const range = db.selectFrom('evidence_part').selectAll().where('part', '>=', from).where('part', '<=', to);
  const rows = await range.orderBy('part').execute();
  const hashes = new Map<number, string[]>();
  for (const { part, sha256 } of rows) {
    hashes.set(part, [...(hashes.get(part) ?? []), Buffer.from(sha256).toString('hex')]);
  }
  return hashes;
}

/** A body as received; null if the evidence has none with that hash. */
export async function findBody(db: LedgerReader, sha256: string): Promise<Buffer | null> {
  const stored = db.selectFrom('evidence_body').select(['encoding', 'body']);
  const row = await stored.where('sha256', '=', sha256).executeTakeFirst();
  return row ? unsealBody(row) : null;
}

/** The id of the first evidence of a kind that brought a document; null if none did. */
export async function findDocument(db: LedgerReader, kind: string, sha256: string): Promise<number | null> {
  const received = db.selectFrom('evidence').select('id').where('kind', '=', kind).where('sha256', '=', sha256);
  return (await received.orderBy('id').limit(1).executeTakeFirst())?.id ?? null;
}

/** The bodies that evidence keeps as received, and the packs of orders. */
import type { Selectable } from 'kysely';
import { unsealBody } from '../../evidence/bodies.ts';
import type { LedgerSchema } from '../../schema.ts';
import type { LedgerReader } from '../snapshot.ts';

/** Every body, by SHA-256, read a page at a time. */
export async function* readBodies(db: LedgerReader): AsyncGenerator<Selectable<LedgerSchema['evidence_body']>> {
  for (let after = ''; ; ) {
    const later = db.selectFrom('evidence_body').selectAll().where('sha256', '>', after);
    const page = await later.orderBy('sha256').limit(50).execute();
    const last = page.at(-1);
    if (!last) return;
    yield* page;
    after = last.sha256;
  }
}

export async function readReferredBodies(db: LedgerReader): Promise<Set<string>> {
  const rows = await db.selectFrom('evidence').select('sha256').distinct().where('sha256', 'is not', null).execute();
  return new Set(rows.map(({ sha256 }) => sha256!));
}

/** Every pack of orders, one at a time. */
export async function* readPacks(db: LedgerReader): AsyncGenerator<Selectable<LedgerSchema['evidence_pack']>> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const later = db.selectFrom('evidence_pack').selectAll().where('first_part', '>', after);
    const pack = await later.orderBy('first_part').limit(1).executeTakeFirst();
    if (!pack) return;
    yield pack;
    after = pack.first_part;
  }
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

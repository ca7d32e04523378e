import type { Selectable } from 'kysely';
import type { EvidenceRow } from '../evidence/chain.ts';
import type { LedgerSchema } from '../schema.ts';
import type { LedgerReader } from './snapshot.ts';

const PAGE = 500;

/** Every row of evidence in the order in which it became known, a page at a time. @param until only what was known by then */
export async function* readEvidence(db: LedgerReader, until?: Date): AsyncGenerator<EvidenceRow> {
  for (let after = 0; ; ) {
    let query = db.selectFrom('evidence').selectAll().where('id', '>', after).orderBy('id').limit(PAGE);
    if (until) query = query.where('at', '<=', until.toISOString());
    const page = await query.execute();
    const last = page.at(-1);
    if (!last) return;
    yield* page;
    after = last.id;
  }
}

/** Whether a link is part of the chain. */
export async function isInChain(db: LedgerReader, link: string): Promise<boolean> {
  const row = await db.selectFrom('evidence').select('id').where('chain', '=', link).executeTakeFirst();
  return row !== undefined;
}

/** The heads of the chain: one, in a sound ledger. */
export async function readChain(db: LedgerReader): Promise<Selectable<LedgerSchema['chain']>[]> {
  return db.selectFrom('chain').selectAll().orderBy('id').execute();
}

/** Every body, a few at a time. */
export async function* readBodies(db: LedgerReader): AsyncGenerator<Selectable<LedgerSchema['evidence_body']>> {
  for (let after = ''; ; ) {
    const page = await db
      .selectFrom('evidence_body')
      .selectAll()
      .where('sha256', '>', after)
      .orderBy('sha256')
      .limit(50)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    yield* page;
    after = last.sha256;
  }
}

/** The SHA-256 of every body that evidence refers to. */
export async function readReferredBodies(db: LedgerReader): Promise<Set<string>> {
  const rows = await db.selectFrom('evidence').select('sha256').distinct().where('sha256', 'is not', null).execute();
  return new Set(rows.map(({ sha256 }) => sha256!));
}

/** Every pack of orders, one at a time. */
export async function* readPacks(db: LedgerReader): AsyncGenerator<Selectable<LedgerSchema['evidence_pack']>> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const pack = await db
      .selectFrom('evidence_pack')
      .selectAll()
      .where('first_part', '>', after)
      .orderBy('first_part')
      .limit(1)
      .executeTakeFirst();
    if (!pack) return;
    yield pack;
    after = pack.first_part;
  }
}

/** The hashes of a stretch of parts, by number, in hexadecimal. */
export async function readPartHashes(db: LedgerReader, from: number, to: number): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('evidence_part')
    .selectAll()
    .where('part', '>=', from)
    .where('part', '<=', to)
    .orderBy('part')
    .execute();
  return new Map(rows.map(({ part, sha256 }) => [part, Buffer.from(sha256).toString('hex')]));
}

/** A place in the chain of evidence: its row, and the SHA-256 over all up to it. */
export interface ChainPlace {
  readonly id: number;
  readonly chain: string;
}

/**
 * The newest evidence that figures can depend on: that checks were run, or a statement or pack written, is evidence too, but says nothing of the
 * courier's books, so that the same books give the same place. Null for an empty ledger.
 */
export async function readFigureHead(db: LedgerReader): Promise<ChainPlace | null> {
  const row = await db
    .selectFrom('evidence')
    .select(['id', 'chain'])
    .where('kind', 'not in', ['check', 'statement', 'close-pack'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

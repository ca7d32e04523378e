import type { Kysely } from 'kysely';
import type { EvidenceKind, LedgerSchema } from '../schema.ts';
import { keepBody, type SealedBody } from './bodies.ts';
import { chainOf, type EvidenceRow, GENESIS } from './chain.ts';

/** Something that became known and is to be kept. */
export interface NewEvidence {
  readonly at: Date;
  readonly kind: EvidenceKind;
  readonly runId?: number | null;
  readonly actor?: string | null;
  readonly subject: string;
  readonly source?: string | null;
  readonly listing?: string | null;
  readonly walk?: number | null;
  readonly body?: SealedBody | null;
  readonly fault?: string | null;
  /** What JSON can hold; written with its fields in the order given. */
  readonly data?: object | null;
}

/** Keeps one thing that became known, as the next link of the chain. Call it inside a transaction. */
export async function appendEvidence(trx: Kysely<LedgerSchema>, what: NewEvidence): Promise<EvidenceRow> {
  // First of all: whoever holds the head is alone, and two writers that keep bodies cannot wait for each other.
  const before = await lockHead(trx);
  if (what.body) await keepBody(trx, what.body);
  const row = {
    id: before.evidence_id + 1,
    at: what.at.toISOString(),
    kind: what.kind,
    run_id: what.runId ?? null,
    actor: what.actor ?? null,
    subject: what.subject,
    source: what.source ?? null,
    listing: what.listing ?? null,
    walk: what.walk ?? null,
    sha256: what.body?.sha256 ?? null,
    fault: what.fault ?? null,
    data: what.data ? JSON.stringify(what.data) : null,
  };
  const chain = chainOf(before.head, row);
  await trx
    .insertInto('evidence')
    .values({ ...row, chain })
    .execute();
  await trx.updateTable('chain').set({ evidence_id: row.id, head: chain }).where('id', '=', 1).execute();
  return { ...row, chain };
}

/** The head of the chain, held by this transaction until it ends: two writers cannot append to the same head. */
async function lockHead(trx: Kysely<LedgerSchema>): Promise<{ evidence_id: number; head: string }> {
  const held = await moveHead(trx);
  if (held) return held;
  // Two may find it empty at once: the second waits here for the first.
  await trx
    .insertInto('chain')
    .values({ id: 1, evidence_id: 0, head: GENESIS })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return (await moveHead(trx))!;
}

function moveHead(trx: Kysely<LedgerSchema>): Promise<{ evidence_id: number; head: string } | undefined> {
  return trx
    .updateTable('chain')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', 1)
    .returning(['evidence_id', 'head'])
    .executeTakeFirst();
}

/** Holds the chain until the transaction ends: what this one reads from here on is the newest. */
export async function holdHead(trx: Kysely<LedgerSchema>): Promise<void> {
  await lockHead(trx);
}

/** The head of the chain: what is printed on statements; null while nothing is known. */
export async function readHead(db: Kysely<LedgerSchema>): Promise<string | null> {
  const row = await db.selectFrom('chain').select('head').executeTakeFirst();
  return row?.head ?? null;
}

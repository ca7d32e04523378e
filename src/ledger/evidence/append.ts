import type { Kysely } from 'kysely';
import { courierOf } from '../courier.ts';
import type { EvidenceKind, LedgerSchema } from '../schema.ts';
import { insertRows } from '../write/insert.ts';
import { keepBody, type SealedBody } from './bodies.ts';
import { chainOf, type EvidenceRow, GENESIS } from './chain.ts';

/** A piece of evidence to keep: something that became known. */
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
  /** Stored as JSON, its fields in the given order. */
  readonly data?: object | null;
  /** Of the whole books, though the ledger that is written is one courier's. */
  readonly isOfAll?: boolean;
  /** A file that is one courier's: its settlement sheets, not your own. */
  readonly isCouriers?: boolean;
}

/** What is of the whole books, whichever courier somebody looked at: your own files, the closes, and what a second person says. */
const OF_ALL: ReadonlySet<EvidenceKind> = new Set<EvidenceKind>([
  'import',
  'import-undone',
  'receipts-replaced',
  'close',
  'reopen',
  'proposal-approved',
  'proposal-refused',
]);

/** Appends a piece of evidence to the chain: it is of the courier whose ledger is written. Call it inside a transaction. */
export async function appendEvidence(trx: Kysely<LedgerSchema>, what: NewEvidence): Promise<EvidenceRow> {
  const [row] = await appendEach(trx, [what]);
  return row!;
}

/** As {@link appendEvidence}, of several pieces, in their order. */
export async function appendEach(trx: Kysely<LedgerSchema>, pieces: readonly NewEvidence[]): Promise<EvidenceRow[]> {
  // First, so that two writers cannot deadlock while they store bodies.
  let { evidence_id, head } = await lockHead(trx);
  const rows: EvidenceRow[] = [];
  for (const what of pieces) {
    if (what.body) await keepBody(trx, what.body);
    evidence_id += 1;
    const row = {
      id: evidence_id,
      at: what.at.toISOString(),
      kind: what.kind,
      run_id: what.runId ?? null,
      courier: (OF_ALL.has(what.kind) && !what.isCouriers) || what.isOfAll ? null : courierOf(trx),
      actor: what.actor ?? null,
      subject: what.subject,
      source: what.source ?? null,
      listing: what.listing ?? null,
      walk: what.walk ?? null,
      sha256: what.body?.sha256 ?? null,
      fault: what.fault ?? null,
      data: what.data ? JSON.stringify(what.data) : null,
    };
    head = chainOf(head, row);
    rows.push({ ...row, chain: head });
  }
  await insertRows(trx, 'evidence', rows);
  await trx.updateTable('chain').set({ evidence_id, head }).where('id', '=', 1).execute();
  return rows;
}

/** Reads the head of the chain and locks it until the transaction ends, so that no other writer appends to it. */
async function lockHead(trx: Kysely<LedgerSchema>): Promise<{ evidence_id: number; head: string }> {
  const held = await updateHead(trx);
  if (held) return held;
  // Of two writers that find the chain empty, the second waits here for the first.
  await trx
    .insertInto('chain')
    .values({ id: 1, evidence_id: 0, head: GENESIS })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return (await updateHead(trx))!;
}

/** An update that changes nothing, because an update locks the row in every database. */
function updateHead(trx: Kysely<LedgerSchema>): Promise<{ evidence_id: number; head: string } | undefined> {
  return trx
    .updateTable('chain')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', 1)
    .returning(['evidence_id', 'head'])
    .executeTakeFirst();
}

/** Locks the chain until the transaction ends, so that all it reads from here on is current. */
export async function holdHead(trx: Kysely<LedgerSchema>): Promise<void> {
  await lockHead(trx);
}

/** The head of the chain, as printed on statements; null while the ledger has no evidence. */
export async function readHead(db: Kysely<LedgerSchema>): Promise<string | null> {
  const row = await db.selectFrom('chain').select('head').executeTakeFirst();
  return row?.head ?? null;
}

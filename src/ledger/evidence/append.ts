import { courierOf } from '../courier.ts';
import type { EvidenceTable, LedgerDb } from '../schema.ts';
import { insertRows, type Trx } from '../write/insert.ts';
import { keepBody, type SealedBody } from './bodies.ts';
import { chainOf, type EvidenceRow, GENESIS } from './chain.ts';

/** A piece of evidence to keep: something that became known. A field that is absent is null in its row. */
export interface NewEvidence
  extends Readonly<Pick<EvidenceTable, 'kind' | 'subject'>>,
    Readonly<Partial<Pick<EvidenceTable, 'actor' | 'source' | 'listing' | 'walk' | 'fault'>>> {
  readonly at: Date;
  readonly runId?: number | null;
  readonly body?: SealedBody | null;
  /** Stored as JSON, its fields in the given order. */
  readonly data?: object | null;
  /** Whether it is about the whole books, or the handle's courier. If absent, its kind decides: see OF_WHOLE_BOOKS. */
  readonly isOfBooks?: boolean;
}

/** Kinds of evidence that are about the whole books unless `isOfBooks` says otherwise, as for a settlement sheet. */
const OF_WHOLE_BOOKS: ReadonlySet<string> = new Set([
  'import',
  'import-undone',
  'receipts-replaced',
  'close',
  'reopen',
  'proposal-approved',
  'proposal-refused',
]);

/**
 * Appends a piece of evidence to the chain, as evidence of the handle's courier unless it is about the whole books.
 * Call it inside a transaction.
 */
export async function appendEvidence(trx: Trx, piece: NewEvidence): Promise<EvidenceRow> {
  const [row] = await appendEach(trx, [piece]);
  return row!;
}

/** {@link appendEvidence} for several pieces, in their order. */
export async function appendEach(trx: Trx, pieces: readonly NewEvidence[]): Promise<EvidenceRow[]> {
  // The lock comes first, so that two writers cannot deadlock while they store bodies.
  let { evidence_id, head } = await holdHead(trx);
  const rows: EvidenceRow[] = [];
  for (const piece of pieces) {
    if (piece.body) await keepBody(trx, piece.body);
    evidence_id += 1;
    const row = {
      id: evidence_id,
      at: piece.at.toISOString(),
      kind: piece.kind,
      run_id: piece.runId ?? null,
      courier: (piece.isOfBooks ?? OF_WHOLE_BOOKS.has(piece.kind)) ? null : courierOf(trx),
      actor: piece.actor ?? null,
      subject: piece.subject,
      source: piece.source ?? null,
      listing: piece.listing ?? null,
      walk: piece.walk ?? null,
      sha256: piece.body?.sha256 ?? null,
      fault: piece.fault ?? null,
      data: piece.data ? JSON.stringify(piece.data) : null,
    };
    head = chainOf(head, row);
    rows.push({ ...row, chain: head });
  }
  await insertRows(trx, 'evidence', rows);
  await trx.updateTable('chain').set({ evidence_id, head }).where('id', '=', 1).execute();
  return rows;
}

/**
 * Locks the head of the chain until the transaction ends: nobody else writes, so all that it reads is current.
 *
 * @returns the head
 */
export async function holdHead(trx: Trx): Promise<{ evidence_id: number; head: string }> {
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
function updateHead(trx: Trx): Promise<{ evidence_id: number; head: string } | undefined> {
  return trx
    .updateTable('chain')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', 1)
    .returning(['evidence_id', 'head'])
    .executeTakeFirst();
}

/** The head of the chain, as printed on statements; null while the ledger has no evidence. */
export async function readHead(db: LedgerDb): Promise<string | null> {
  const row = await db.selectFrom('chain').select('head').executeTakeFirst();
  return row?.head ?? null;
}

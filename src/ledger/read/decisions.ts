/** What was decided about mismatches: by whom, when, and how they stood at an earlier time. */
import { chunks } from '../chunks.ts';
import type { MismatchEventTable, MismatchStatus } from '../schema.ts';
import { REMIT } from '../write/mismatches.ts';
import type { LedgerReader } from './snapshot.ts';

/** The last entry in the history of each of some mismatches. */
export async function readLastEvents(
  db: LedgerReader,
  ids: readonly string[],
): Promise<Map<string, MismatchEventTable>> {
  const events = await eventsOf(db, ids);
  return new Map(events.map((event) => [event.mismatch_id, event]));
}

/** How a mismatch stood after some row of evidence, and what came after it. */
export interface FormerState {
  /** Null where it was not known yet. */
  readonly status: MismatchStatus | null;
  readonly note: string | null;
  /** The entries that came later, oldest first. */
  readonly later: readonly MismatchEventTable[];
}

/** How each of some mismatches stood after a row of evidence. */
export async function readFormerStates(
  db: LedgerReader,
  ids: readonly string[],
  evidenceId: number,
): Promise<Map<string, FormerState>> {
  const states = new Map<string, FormerState>();
  for (const event of await eventsOf(db, ids)) {
    const state = states.get(event.mismatch_id) ?? { status: null, note: null, later: [] };
    if (event.evidence_id > evidenceId) states.set(event.mismatch_id, { ...state, later: [...state.later, event] });
    // What remit writes in the history says why a status moved; it is nobody's note.
    else if (event.actor === REMIT || event.note === null) {
      states.set(event.mismatch_id, { ...state, status: event.to_status });
    } else states.set(event.mismatch_id, { ...state, status: event.to_status, note: event.note || null });
  }
  return states;
}

/** The chain at a row of evidence: two ledgers that share it hold the same up to there. Null where there is no such row. */
export async function readChainAt(db: LedgerReader, evidenceId: number): Promise<string | null> {
  const row = await db.selectFrom('evidence').select('chain').where('id', '=', evidenceId).executeTakeFirst();
  return row?.chain ?? null;
}

/** The first evidence of a kind that holds a document; null where none does. */
export async function findDocument(db: LedgerReader, kind: string, sha256: string): Promise<number | null> {
  const row = await db
    .selectFrom('evidence')
    .select('id')
    .where('kind', '=', kind)
    .where('sha256', '=', sha256)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Entries of the history, oldest first for each mismatch. */
async function eventsOf(db: LedgerReader, ids: readonly string[]): Promise<MismatchEventTable[]> {
  const events: MismatchEventTable[] = [];
  for (const page of chunks(ids)) {
    const query = db.selectFrom('mismatch_event').selectAll().where('mismatch_id', 'in', page);
    for (const event of await query.orderBy('evidence_id').execute()) events.push(event);
  }
  return events;
}

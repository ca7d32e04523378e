/** The history of mismatches: who changed them and when, and their status at an earlier time. */
import { inChunks } from '../../chunks.ts';
import type { MismatchEventTable, MismatchStatus } from '../../schema.ts';
import { isOneOf } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/** The entries in a mismatch's history, oldest first. */
export async function readMismatchHistory(db: LedgerReader, id: string): Promise<MismatchEventTable[]> {
  return db.selectFrom('mismatch_event').selectAll().where('mismatch_id', '=', id).orderBy('evidence_id').execute();
}

/** The last entry in the history of each of these mismatches, by id. */
export async function readLastEvents(db: LedgerReader, ids: readonly string[]) {
  const events = await readEvents(db, ids);
  return new Map(events.map((event) => [event.mismatch_id, event]));
}

/** A mismatch's status after a row of evidence, and what came later. */
export interface FormerState {
  /** Null if it was not found yet. */
  readonly status: MismatchStatus | null;
  readonly note: string | null;
  /** The entries that came later, oldest first. */
  readonly later: readonly MismatchEventTable[];
}

/** The status of these mismatches at a row of evidence, by id. */
export async function readFormerStates(db: LedgerReader, ids: readonly string[], evidenceId: number) {
  const states = new Map<string, FormerState>();
  for (const event of await readEvents(db, ids)) {
    const state = states.get(event.mismatch_id) ?? { status: null, note: null, later: [] };
    if (event.evidence_id > evidenceId) states.set(event.mismatch_id, { ...state, later: [...state.later, event] });
    else {
      // Null keeps the note before, an empty text removes it.
      const note = event.note === null ? state.note : event.note || null;
      states.set(event.mismatch_id, { ...state, status: event.to_status, note });
    }
  }
  return states;
}

/**
 * The status at a row of evidence of those mismatches of a month that changed after it, by id; null for one that was
 * not found yet. Unchanged mismatches are left out.
 */
export async function readStatusesAt(db: LedgerReader, month: string, evidenceId: number) {
  const rows = await rowsOf<{ mismatch_id: string; from_status: MismatchStatus | null }>(db)`
    select e.mismatch_id, e.from_status from mismatch_event e
    join mismatch_month m on m.mismatch_id = e.mismatch_id and m.period = ${month}
    where e.evidence_id > ${evidenceId} and not exists (
      select 1 from mismatch_event b
      where b.mismatch_id = e.mismatch_id and b.evidence_id > ${evidenceId} and b.evidence_id < e.evidence_id
    )`;
  return new Map(rows.map(({ mismatch_id, from_status }) => [mismatch_id, from_status]));
}

/** The last evidence that changed a mismatch, by a check or a person; 0 before the first. */
export async function readLastChange(db: LedgerReader): Promise<number> {
  const { id } = await db
    .selectFrom('evidence')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('kind', 'in', ['findings', 'decision', 'resolutions', 'claim', 'claim-written-off', 'claim-withdrawn'])
    .executeTakeFirstOrThrow();
  return Number(id ?? 0);
}

/** Entries of the history, oldest first for each mismatch. */
function readEvents(db: LedgerReader, ids: readonly string[]): Promise<MismatchEventTable[]> {
  return inChunks(ids, (page) =>
    db.selectFrom('mismatch_event').selectAll().where('mismatch_id', 'in', page).orderBy('evidence_id').execute(),
  );
}

export async function readFirstSeen(db: LedgerReader, ids: readonly string[]): Promise<Map<string, string>> {
  const seen = await inChunks(
    ids,
    (page) => rowsOf<{ mismatch_id: string; at: string }>(db)`
      select mismatch_id, min(at) as at from mismatch_event
      where ${isOneOf('mismatch_id', page)} group by mismatch_id`,
  );
  return new Map(seen.map(({ mismatch_id, at }) => [mismatch_id, at]));
}

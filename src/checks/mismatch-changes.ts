import type { StoredMismatch } from '../ledger/queries/findings/mismatches.ts';
import { REMIT } from '../ledger/schema/findings.ts';
import type { MismatchTable } from '../ledger/schema.ts';
import type { FindingsDelta, FoundRecord } from '../ledger/write/mismatches.ts';

/** Why a check moves a mismatch: kept in its history. */
export type MoveSentence =
  | { id: 'no-longer-shown' }
  | { id: 'import-undone' }
  | { id: 'shown-again' }
  | { id: 'figures-changed'; before: string | null; after: string | null }
  | { id: 'words-changed' };

export interface Scope {
  /**
   * Whether the document of a mismatch that no longer shows was looked at: `seen`; `unseen` where it is known but could not be compared,
   * so that its money is elsewhere meanwhile; `outside` where the run was narrower; `undone` where the import that it rested on was taken
   * back.
   */
  look(gone: StoredMismatch): 'seen' | 'unseen' | 'outside' | 'undone';
  /** Whether a check's figures grow with the calendar, so that new ones are no news. */
  ages(code: string): boolean;
}

/** The mismatches that change, and how all that are known then stand. */
export interface MismatchChanges extends FindingsDelta<FoundRecord> {
  /** Those that no longer show and stay as they are, because nothing newer and complete says that they are over. */
  readonly kept: readonly StoredMismatch[];
  /** Those that were resolved by it, as they were last. */
  readonly gone: readonly StoredMismatch[];
  /** Every mismatch that was found or kept, with its status. */
  readonly standing: readonly (Omit<MismatchTable, 'message'> & { readonly months: readonly string[] })[];
}

/**
 * Decides what a check's findings change in what is stored. What is new opens. What was resolved because it no longer showed opens again;
 * what a person settled opens again only when its data is another. What no longer shows is resolved, if it was looked at. Nobody's note is
 * touched, and what has not changed is left out.
 */
export function changesOf(
  stored: readonly StoredMismatch[],
  found: readonly FoundRecord[],
  scope: Scope,
): MismatchChanges {
  const storedById = new Map(stored.map((mismatch) => [mismatch.id, mismatch]));
  const opened: FoundRecord[] = [];
  const reopened: (FoundRecord & { why: MoveSentence })[] = [];
  const updated: FoundRecord[] = [];
  const standing: MismatchChanges['standing'][number][] = [];
  for (const now of found) {
    const was = storedById.get(now.id);
    const why = was ? reasonToReopen(was, now, scope.ages(now.code)) : null;
    if (!was) opened.push(now);
    else if (why !== null) reopened.push({ ...now, why });
    else if (isDifferent(was, now)) updated.push(now);
    standing.push({ ...now, status: was && why === null ? was.status : 'open', note: was?.note ?? null });
  }
  const showing = new Set(found.map(({ id }) => id));
  const resolved: { id: string; why: MoveSentence }[] = [];
  const kept: StoredMismatch[] = [];
  const over: StoredMismatch[] = [];
  for (const gone of stored) {
    if (showing.has(gone.id) || gone.resolved_by === REMIT) continue;
    const look = scope.look(gone);
    if (look === 'seen' || look === 'undone') {
      const id = look === 'seen' ? 'no-longer-shown' : 'import-undone';
      resolved.push({ id: gone.id, why: { id } });
      over.push({ ...gone, status: 'resolved' });
      continue;
    }
    // What it took is taken by another step, or by none, while it cannot be compared.
    const stays = look === 'unseen' ? { ...gone, effect: null, amount: null } : gone;
    if (stays.effect !== gone.effect) updated.push(recordOf(stays));
    kept.push(stays);
    standing.push(stays);
  }
  return { opened, reopened, updated, resolved, kept, gone: over, standing };
}

/** Why a mismatch that is no longer open has to be looked at again; null when it has not. */
function reasonToReopen(was: StoredMismatch, now: FoundRecord, ages: boolean): MoveSentence | null {
  if (was.status === 'open') return null;
  if (was.resolved_by === REMIT) return { id: 'shown-again' };
  if (ages) return null;
  if (was.expected !== now.expected || was.actual !== now.actual) {
    return { id: 'figures-changed', before: was.actual, after: now.actual };
  }
  // Where there are no figures, the sentence's parameters hold what the data is.
  if (now.expected === null && now.actual === null && was.sentence !== now.sentence) return { id: 'words-changed' };
  return null;
}

function isDifferent(was: StoredMismatch, now: FoundRecord): boolean {
  const { months, ...fields } = now;
  return (
    Object.entries(fields).some(([name, value]) => was[name as keyof MismatchTable] !== value) ||
    months.length !== was.months.length ||
    months.some((month) => !was.months.includes(month))
  );
}

function recordOf({ status: _, note: __, resolved_by: ___, message: ____, ...record }: StoredMismatch): FoundRecord {
  return record;
}

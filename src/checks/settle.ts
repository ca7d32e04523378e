import type { MismatchTable } from '../ledger/schema.ts';
import { type FindingsDelta, type MismatchRecord, REMIT } from '../ledger/write/mismatches.ts';

/** A mismatch as it is known: the months in which it shows, and who resolved it (null while it is not). */
export type KnownMismatch = MismatchTable & { readonly months: readonly string[]; readonly resolved_by: string | null };

/** What was looked at, so that what no longer shows there is known to be over. */
export interface Scope {
  /**
   * Whether the document of a mismatch that no longer shows was looked at: `seen`; `unseen` where it is known but could not be compared,
   * so that its money is elsewhere meanwhile; `outside` where the run was narrower.
   */
  look(gone: KnownMismatch): 'seen' | 'unseen' | 'outside';
  /** Whether a check's figures grow with the calendar, so that new ones are no news. */
  ages(code: string): boolean;
}

/** What becomes of the mismatches: what changes, and how all that is known then stands. */
export interface Settled extends FindingsDelta {
  /** Those that no longer show and stay as they are, because nothing newer and complete says that they are over. */
  readonly kept: readonly KnownMismatch[];
  /** Those that were resolved by it, as they were last. */
  readonly gone: readonly KnownMismatch[];
  /** Every mismatch that was found or kept, with its status. */
  readonly standing: readonly (MismatchTable & { readonly months: readonly string[] })[];
}

/**
 * Decides what a check's findings change in what was known (design: checks, 'Workflow'). What is new opens. What was resolved because it
 * no longer showed opens again; what a person settled opens again only when its data is another. What no longer shows is resolved, if it
 * was looked at. Nobody's note is touched, and what has not changed is left out.
 */
export function settle(known: readonly KnownMismatch[], found: readonly MismatchRecord[], scope: Scope): Settled {
  const before = new Map(known.map((mismatch) => [mismatch.id, mismatch]));
  const opened: MismatchRecord[] = [];
  const reopened: (MismatchRecord & { why: string })[] = [];
  const updated: MismatchRecord[] = [];
  const standing: Settled['standing'][number][] = [];
  for (const now of found) {
    const was = before.get(now.id);
    const why = was ? reasonToReopen(was, now, scope.ages(now.code)) : null;
    if (!was) opened.push(now);
    else if (why !== null) reopened.push({ ...now, why });
    else if (isDifferent(was, now)) updated.push(now);
    standing.push({ ...now, status: was && why === null ? was.status : 'open', note: was?.note ?? null });
  }
  const showing = new Set(found.map(({ id }) => id));
  const resolved: { id: string; why: string }[] = [];
  const kept: KnownMismatch[] = [];
  const over: KnownMismatch[] = [];
  for (const gone of known) {
    if (showing.has(gone.id) || gone.resolved_by === REMIT) continue;
    const look = scope.look(gone);
    if (look === 'seen') {
      resolved.push({ id: gone.id, why: 'the data no longer shows it' });
      over.push({ ...gone, status: 'resolved' });
      continue;
    }
    // What it took is taken by another step, or by none, while it cannot be compared.
    const stays = look === 'unseen' ? { ...gone, effect: null } : gone;
    if (stays.effect !== gone.effect) updated.push(recordOf(stays));
    kept.push(stays);
    standing.push(stays);
  }
  return { opened, reopened, updated, resolved, kept, gone: over, standing };
}

/** Why a mismatch that is no longer open has to be looked at again; null when it has not. */
function reasonToReopen(was: KnownMismatch, now: MismatchRecord, ages: boolean): string | null {
  if (was.status === 'open') return null;
  if (was.resolved_by === REMIT) return 'the data shows it again';
  if (ages) return null;
  if (was.expected !== now.expected || was.actual !== now.actual) {
    return `its figures have changed: ${was.actual ?? 'nothing'} has become ${now.actual ?? 'nothing'}`;
  }
  // Where there are no figures, the sentence says what the data is.
  if (now.expected === null && now.actual === null && was.message !== now.message) return 'what it says has changed';
  return null;
}

function isDifferent(was: KnownMismatch, now: MismatchRecord): boolean {
  const { months, ...fields } = now;
  return (
    Object.entries(fields).some(([name, value]) => was[name as keyof MismatchTable] !== value) ||
    months.length !== was.months.length ||
    months.some((month) => !was.months.includes(month))
  );
}

function recordOf({ status: _, note: __, resolved_by: ___, ...record }: KnownMismatch): MismatchRecord {
  return record;
}

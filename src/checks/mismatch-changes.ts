import type { StoredMismatch } from '../ledger/queries/findings/mismatches.ts';
import { REMIT } from '../ledger/schema/findings.ts';
import type { MismatchTable } from '../ledger/schema.ts';
import type { FindingsDelta, FoundRecord } from '../ledger/write/mismatches.ts';

/** Why a check opens, changes or resolves a mismatch: kept in its history. */
export type MoveSentence =
  | { id: 'no-longer-shown' }
  | { id: 'import-undone' }
  | { id: 'shown-again' }
  | { id: 'figures-changed'; before: string | null; after: string | null }
  | { id: 'words-changed' };

/**
 * The checks about what is unpaid of an invoice, which is one debt: the first of them with a finding claims it, the
 * others do not. `remittance-over` is not among them: there too much came in.
 */
export const UNPAID: readonly string[] = ['remittance-short', 'remittance-missing', 'payment-overdue'];

/**
 * Whether a run could have found a mismatch again. `seen`: its document was compared. `unseen`: it could not be
 * compared, so that another step of the bridge has its money meanwhile. `outside`: the run was about other months.
 * `undone`: the import that the mismatch rested on was taken back.
 */
export type Reach = 'seen' | 'unseen' | 'outside' | 'undone';

/** What a run checked, as far as that decides over mismatches that it did not find again. */
export interface Scope {
  reachOf(gone: StoredMismatch): Reach;
  /** Whether a check's figures grow from day to day, so that new ones are no news. */
  ages(code: string): boolean;
}

/** The mismatches that change, and the status that each has then. */
export interface MismatchChanges extends FindingsDelta<FoundRecord> {
  /** The mismatches that are resolved because they no longer show, with their last figures. */
  readonly nowResolved: readonly StoredMismatch[];
  /** Every mismatch that was found, or stays as it is because it was not checked, with its status. */
  readonly current: readonly (Omit<MismatchTable, 'message'> & { readonly months: readonly string[] })[];
}

/**
 * Decides what a run's findings change in the stored mismatches. What is new opens. What was resolved because it no
 * longer showed opens again; what a person resolved opens again only when its data changed. What no longer shows is
 * resolved, if it was checked. Notes are left alone, and what has not changed is left out.
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
  const current: MismatchChanges['current'][number][] = [];
  for (const now of found) {
    const was = storedById.get(now.id);
    const why = was ? reasonToReopen(was, now, scope.ages(now.code)) : null;
    if (!was) opened.push(now);
    else if (why !== null) reopened.push({ ...now, why });
    else if (isDifferent(was, now)) updated.push(now);
    current.push({ ...now, status: was && why === null ? was.status : 'open', note: was?.note ?? null });
  }
  const foundIds = new Set(found.map(({ id }) => id));
  const resolved: { id: string; why: MoveSentence }[] = [];
  const nowResolved: StoredMismatch[] = [];
  for (const gone of stored) {
    if (foundIds.has(gone.id) || gone.resolved_by === REMIT) continue;
    const reach = scope.reachOf(gone);
    if (reach === 'seen' || reach === 'undone') {
      const id = reach === 'seen' ? 'no-longer-shown' : 'import-undone';
      resolved.push({ id: gone.id, why: { id } });
      nowResolved.push({ ...gone, status: 'resolved' });
      continue;
    }
    // While it cannot be compared, its money is in another step of the bridge, or in none.
    const asKept = reach === 'unseen' ? { ...gone, effect: null, amount: null } : gone;
    if (asKept.effect !== gone.effect) updated.push(recordOf(asKept));
    current.push(asKept);
  }
  const replaced = replacedOf(stored, current, [...opened, ...reopened, ...resolved]);
  return { opened, reopened, updated, resolved, replaced, nowResolved, current };
}

/**
 * The stored findings about an unpaid debt that no longer show, each with the finding (`by`) that shows the same debt
 * now. A pair is left out if neither of the two moved in this run.
 */
function replacedOf(
  stored: readonly StoredMismatch[],
  current: MismatchChanges['current'],
  moves: readonly { readonly id: string }[],
): { id: string; by: string }[] {
  const debtOf = ({ invoice_number, currency }: Pick<FoundRecord, 'invoice_number' | 'currency'>) =>
    `${invoice_number} ${currency}`;
  // If several findings show one debt, the first in `UNPAID` counts: it comes last here, and so replaces the others.
  const unpaid = UNPAID.toReversed().flatMap((unpaidCode) =>
    current.filter(({ code, status }) => code === unpaidCode && status !== 'resolved'),
  );
  const byDebt = new Map(unpaid.map((finding) => [debtOf(finding), finding.id]));
  const currentIds = new Set(current.map(({ id }) => id));
  const moved = new Set(moves.map(({ id }) => id));
  const goneUnpaid = stored.filter(({ id, code }) => UNPAID.includes(code) && !currentIds.has(id));
  return goneUnpaid.flatMap(({ id, ...gone }) => {
    const by = byDebt.get(debtOf(gone));
    return by !== undefined && (moved.has(id) || moved.has(by)) ? [{ id, by }] : [];
  });
}

/** Why a mismatch that is no longer open opens again; null if it does not. @param ages see {@link Scope} */
function reasonToReopen(was: StoredMismatch, now: FoundRecord, ages: boolean): MoveSentence | null {
  if (was.status === 'open') return null;
  if (was.resolved_by === REMIT) return { id: 'shown-again' };
  if (ages) return null;
  if (was.expected !== now.expected || was.actual !== now.actual) {
    return { id: 'figures-changed', before: was.actual, after: now.actual };
  }
  // A finding without figures has its data in the sentence's parameters.
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

/** A stored mismatch in the form in which a run finds one. */
function recordOf({ status: _, note: __, resolved_by: ___, message: ____, ...record }: StoredMismatch): FoundRecord {
  return record;
}

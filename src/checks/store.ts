/** What is found meets what was known: the workflow of design/checks.md. Everything here happens inside one transaction. */
import type { Insertable, Kysely } from 'kysely';
import type { LedgerSchema, MismatchEventTable, MismatchStatus, MismatchTable } from '../ledger/index.ts';
import { chunks } from './lists.ts';

/** Who changes a mismatch's status when a check does; a person's name stands there otherwise. */
export const REMIT = 'remit';

/** A finding as it is stored, before it has a status; `ages`: see {@link Check}. */
export type Found = Omit<MismatchTable, 'status' | 'note'> & { readonly ages: boolean };

interface Known extends MismatchTable {
  /** Who resolved it; null while it is not resolved. */
  readonly resolvedBy: string | null;
}

/**
 * Stores what checks found. A new finding opens; one that was resolved because it no longer showed opens again; one that a person
 * settled opens only when its figures are no longer those that were settled; one that no longer shows is resolved. What has not
 * changed is not written, and nobody's note is touched.
 *
 * @param executed the codes of the checks that ran: only their findings can have gone
 * @param periods the months that they looked at
 */
export async function storeFindings(
  db: Kysely<LedgerSchema>,
  found: readonly Found[],
  { executed, periods, now }: { executed: readonly string[]; periods: readonly string[]; now: Date },
): Promise<void> {
  if (executed.length === 0) return;
  const known = await readKnown(db, found, executed, periods);
  const at = now.toISOString();
  const created: Insertable<MismatchTable>[] = [];
  const events: Insertable<MismatchEventTable>[] = [];
  const changed: { id: string; set: Partial<MismatchTable> }[] = [];

  const showing = new Set<string>();
  for (const { ages, ...fields } of found) {
    const before = known.get(fields.id);
    // A finding that belongs to a month which was not asked for is stored only to follow it there.
    if (!before && !periods.includes(fields.period)) continue;
    showing.add(fields.id);
    if (!before) {
      created.push({ ...fields, status: 'open', note: null });
      events.push({ mismatch_id: fields.id, at, actor: REMIT, from_status: null, to_status: 'open', note: null });
      continue;
    }
    const reason = reasonToReopen(before, fields, ages);
    const status: MismatchStatus = reason ? 'open' : before.status;
    if (reason) {
      events.push({
        mismatch_id: fields.id,
        at,
        actor: REMIT,
        from_status: before.status,
        to_status: 'open',
        note: reason,
      });
    }
    const set = differences(before, { ...fields, status });
    if (set) changed.push({ id: fields.id, set });
  }

  const gone = [...known.values()].filter(({ id, resolvedBy }) => !showing.has(id) && resolvedBy !== REMIT);
  for (const { id, status } of gone) {
    const note = 'the data no longer shows it';
    events.push({ mismatch_id: id, at, actor: REMIT, from_status: status, to_status: 'resolved', note });
  }

  for (const rows of chunks(created)) await db.insertInto('mismatch').values(rows).execute();
  for (const { id, set } of changed) await db.updateTable('mismatch').set(set).where('id', '=', id).execute();
  for (const rows of chunks(gone)) {
    const ids = rows.map(({ id }) => id);
    await db.updateTable('mismatch').set({ status: 'resolved' }).where('id', 'in', ids).execute();
  }
  for (const rows of chunks(events)) await db.insertInto('mismatch_event').values(rows).execute();
}

/** Why a mismatch that is no longer open has to be looked at again; null when it has not. */
function reasonToReopen(before: Known, now: Omit<Found, 'ages'>, ages: boolean): string | null {
  if (before.status === 'open') return null;
  if (before.resolvedBy === REMIT) return 'the data shows it again';
  const same = ages || (before.expected === now.expected && before.actual === now.actual);
  return same ? null : `its figures have changed: ${before.actual ?? 'nothing'} has become ${now.actual ?? 'nothing'}`;
}

/** The fields in which a stored row is to change; null when it is as it should be. */
function differences(before: MismatchTable, fields: Partial<MismatchTable>): Partial<MismatchTable> | null {
  const different = Object.entries(fields).filter(([name, value]) => before[name as keyof MismatchTable] !== value);
  return different.length > 0 ? Object.fromEntries(different) : null;
}

/** The stored mismatches of the checks and months that ran, and those that a finding shows to have moved there from elsewhere. */
async function readKnown(
  db: Kysely<LedgerSchema>,
  found: readonly Found[],
  executed: readonly string[],
  periods: readonly string[],
): Promise<Map<string, Known>> {
  const stored = await db
    .selectFrom('mismatch')
    .selectAll()
    .where('period', 'in', [...periods])
    .where('code', 'in', [...executed])
    .execute();
  const seen = new Set(stored.map(({ id }) => id));
  const elsewhere = found.filter(({ id, period }) => periods.includes(period) && !seen.has(id)).map(({ id }) => id);
  for (const ids of chunks(elsewhere)) {
    stored.push(
      ...(await db
        .selectFrom('mismatch')
        .selectAll()
        .where('id', 'in', [...ids])
        .execute()),
    );
  }
  const resolvers = await readResolvers(db, stored);
  return new Map(stored.map((row) => [row.id, { ...row, resolvedBy: resolvers.get(row.id) ?? null }]));
}

/** Who made the last entry in the history of each resolved mismatch. */
async function readResolvers(db: Kysely<LedgerSchema>, stored: readonly MismatchTable[]): Promise<Map<string, string>> {
  const resolvers = new Map<string, string>();
  const resolved = stored.filter(({ status }) => status === 'resolved').map(({ id }) => id);
  for (const ids of chunks(resolved)) {
    const events = await db
      .selectFrom('mismatch_event')
      .select(['mismatch_id', 'actor'])
      .where('mismatch_id', 'in', [...ids])
      .orderBy('id')
      .execute();
    for (const { mismatch_id, actor } of events) resolvers.set(mismatch_id, actor);
  }
  return resolvers;
}

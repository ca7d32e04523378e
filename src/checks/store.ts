/** What is found meets what was known: the workflow of the mismatch catalogue. Everything here happens inside one transaction. */
import { type Insertable, type Kysely, sql } from 'kysely';
import type { LedgerSchema, MismatchEventTable, MismatchTable } from '../ledger/index.ts';
import { chunks } from '../ledger/index.ts';
import type { Check, Finding } from './check.ts';
import { identityOf } from './identity.ts';

/** Who changes a mismatch's status when a check does; a person's name stands there otherwise. */
export const REMIT = 'remit';

/** What a check says of a mismatch; its status and note are the business of people. */
type Found = Omit<MismatchTable, 'status' | 'note'>;
/** A stored mismatch and who resolved it; null while it is not resolved. */
type Known = MismatchTable & { readonly resolved_by: string | null };

interface StoreOptions {
  /** The months that the check looked at. */
  readonly periods: readonly string[];
  readonly now: Date;
}

/**
 * Stores what a check found. A new finding opens; one that was resolved because it no longer showed opens again; one that a person
 * settled opens only when its figures are no longer those that were settled; one that no longer shows is resolved. What has not
 * changed is not written, and nobody's note is touched.
 */
export async function storeFindings(
  db: Kysely<LedgerSchema>,
  check: Check,
  findings: readonly Finding[],
  { periods, now }: StoreOptions,
): Promise<void> {
  const at = now.toISOString();
  const showing = new Set<string>();
  for (const page of chunks(findings)) {
    const found = page.map((finding) => asFound(check, finding));
    const known = await readKnown(db, found);
    const created: Insertable<MismatchTable>[] = [];
    const events: Insertable<MismatchEventTable>[] = [];
    for (const now of found) {
      const before = known.get(now.id);
      // A finding of a month that was not asked for is stored only to follow a known mismatch there.
      if (!before && !periods.includes(now.period)) continue;
      showing.add(now.id);
      const reason = before ? reasonToReopen(before, now, check) : null;
      if (!before) created.push({ ...now, status: 'open', note: null });
      else await update(db, before, reason ? { ...now, status: 'open' } : now);
      if (!before || reason) {
        const from_status = before?.status ?? null;
        events.push({ mismatch_id: now.id, at, actor: REMIT, from_status, to_status: 'open', note: reason });
      }
    }
    if (created.length > 0) await db.insertInto('mismatch').values(created).execute();
    if (events.length > 0) await db.insertInto('mismatch_event').values(events).execute();
  }
  await resolveGone(db, check.code, showing, { periods, now });
}

function asFound(check: Check, finding: Finding): Found {
  const { severity = check.severity, occurrence: _, subject: __, ...fields } = finding;
  return { ...fields, id: identityOf(check.code, finding), code: check.code, severity };
}

/** The actor of the last entry in a resolved mismatch's history. */
const resolvedBy = sql<string | null>`case when m.status = 'resolved' then (
  select e.actor from mismatch_event e where e.mismatch_id = m.id order by e.id desc limit 1
) end`;

async function readKnown(db: Kysely<LedgerSchema>, found: readonly Found[]): Promise<Map<string, Known>> {
  const ids = found.map(({ id }) => id);
  const rows = await db
    .selectFrom('mismatch as m')
    .selectAll()
    .select(resolvedBy.as('resolved_by'))
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Why a mismatch that is no longer open has to be looked at again; null when it has not. */
function reasonToReopen(before: Known, now: Found, { ages }: Check): string | null {
  if (before.status === 'open') return null;
  if (before.resolved_by === REMIT) return 'the data shows it again';
  if (ages || (before.expected === now.expected && before.actual === now.actual)) return null;
  return `its figures have changed: ${before.actual ?? 'nothing'} has become ${now.actual ?? 'nothing'}`;
}

/** Brings a stored mismatch to what is now said of it, where that is anything else. */
async function update(db: Kysely<LedgerSchema>, before: Known, now: Partial<MismatchTable>): Promise<void> {
  const different = Object.entries(now).filter(([name, value]) => before[name as keyof MismatchTable] !== value);
  if (different.length === 0) return;
  await db.updateTable('mismatch').set(Object.fromEntries(different)).where('id', '=', before.id).execute();
}

/**
 * Resolves what a check no longer shows. One that a person had resolved gets an entry in its history too: should it ever show
 * again, that is news.
 */
async function resolveGone(
  db: Kysely<LedgerSchema>,
  code: string,
  showing: ReadonlySet<string>,
  { periods, now }: StoreOptions,
): Promise<void> {
  const stored = await db
    .selectFrom('mismatch as m')
    .select(['id', 'status', resolvedBy.as('resolved_by')])
    .where('period', 'in', [...periods])
    .where('code', '=', code)
    .execute();
  const gone = stored.filter(({ id, resolved_by }) => !showing.has(id) && resolved_by !== REMIT);
  for (const page of chunks(gone)) {
    const ids = page.map(({ id }) => id);
    await db.updateTable('mismatch').set({ status: 'resolved' }).where('id', 'in', ids).execute();
    const event = {
      at: now.toISOString(),
      actor: REMIT,
      to_status: 'resolved',
      note: 'the data no longer shows it',
    } as const;
    const events = page.map(({ id, status }) => ({ ...event, mismatch_id: id, from_status: status }));
    await db.insertInto('mismatch_event').values(events).execute();
  }
}

import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import { chunks } from '../ledger/chunks.ts';
import type { LedgerReader } from '../ledger/read/index.ts';
import type { MismatchTable } from '../ledger/schema.ts';
import { isOneOf } from '../ledger/sql.ts';
import type { KnownMismatch } from './settle.ts';

interface Wanted {
  /** Mismatches of these codes that show in these months ... */
  readonly codes: readonly string[];
  readonly periods: readonly string[];
  /** ... those of these, in whatever month ... */
  readonly everywhere: readonly string[];
  /** ... and these, wherever they show. */
  readonly ids: readonly string[];
}

/** The actor of the last entry in a resolved mismatch's history. */
const RESOLVED_BY = sql<string | null>`case when m.status = 'resolved' then (
  select e.actor from mismatch_event e where e.mismatch_id = m.id order by e.evidence_id desc limit 1
) end`;

/** Reads the mismatches that are known, by what a run of the checks is about. */
export async function readKnown(
  db: LedgerReader,
  { codes, periods, everywhere, ids }: Wanted,
): Promise<KnownMismatch[]> {
  if (codes.length === 0 || periods.length === 0) return [];
  const inMonths = await sql<{ id: string }>`
    select distinct m.id from mismatch_month mm join mismatch m on m.id = mm.mismatch_id
    where ${isOneOf('mm.period', periods)} and ${isOneOf('m.code', codes)}`.execute(db);
  const anywhere =
    everywhere.length === 0
      ? []
      : (await sql<{ id: string }>`select id from mismatch where ${isOneOf('code', everywhere)}`.execute(db)).rows;
  const wanted = [...new Set([...[...inMonths.rows, ...anywhere].map(({ id }) => id), ...ids])].sort();
  const known: KnownMismatch[] = [];
  for (const chunk of chunks(wanted)) {
    const rows = await sql<MismatchTable & { resolved_by: string | null }>`
      select m.*, ${RESOLVED_BY} as resolved_by from mismatch m
      where ${isOneOf('m.id', chunk)} order by m.id`.execute(db);
    const months = await sql<{ id: string; period: string }>`
      select mismatch_id as id, period from mismatch_month
      where ${isOneOf('mismatch_id', chunk)} order by mismatch_id, period`.execute(db);
    const of = groupBy(months.rows, ({ id }) => id);
    for (const row of rows.rows) {
      known.push({ ...row, months: (of.get(row.id) ?? []).map(({ period }) => period) });
    }
  }
  return known;
}

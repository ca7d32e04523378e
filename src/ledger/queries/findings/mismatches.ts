/** Mismatches as they are now, by filter, id or month, and how many are not resolved. */
import { type RawBuilder, sql } from 'kysely';
import { groupBy } from '../../../base/group.ts';
import { chunks, inChunks } from '../../chunks.ts';
import { REMIT } from '../../schema/findings.ts';
import type { MismatchStatus, MismatchTable, Severity } from '../../schema.ts';
import { isOneOf } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

export type Mismatch = MismatchTable;

/** The order in which people read mismatches: the worst first, then by month, invoice and order. */
export const READING_ORDER = sql`
  case severity when 'error' then 0 when 'warning' then 1 else 2 end, period,
  case when invoice_number is null then 1 else 0 end, invoice_number,
  case when order_id is null then 1 else 0 end, order_id, code,
  currency nulls first, field nulls first, id`;

/** The condition that a mismatch shows in one of these months; on several invoices, it shows in the month of each. */
function showsIn(periods: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`id in (select mismatch_id from mismatch_month where ${isOneOf('period', periods)})`;
}

/** The mismatches that show in these months, by status (open first, resolved last), and within that the worst first. */
export async function readMismatchesByStatus(db: LedgerReader, periods: readonly string[]): Promise<Mismatch[]> {
  return mismatchesBy(db, { periods })
    .orderBy(sql`case status when 'open' then 0 when 'acknowledged' then 1 else 2 end`)
    .orderBy(READING_ORDER)
    .execute();
}

/** A filter for mismatches; an absent field does not restrict. */
export interface MismatchFilter {
  /** Showing in one of these months. */
  readonly periods?: readonly string[] | undefined;
  readonly codes?: readonly string[] | undefined;
  readonly severities?: readonly Severity[] | undefined;
  readonly statuses?: readonly MismatchStatus[] | undefined;
  readonly invoice?: number | undefined;
  readonly order?: string | undefined;
  readonly currency?: string | undefined;
  /** Opened, reopened or resolved by the last check. */
  readonly isNew?: boolean | undefined;
}

/** The mismatches that match a filter, the worst first. */
export async function findMismatchesBy(db: LedgerReader, filter: MismatchFilter): Promise<Mismatch[]> {
  return mismatchesBy(db, filter).orderBy(READING_ORDER).execute();
}

/** A query for the mismatches that match a filter, without an order. */
export function mismatchesBy(db: LedgerReader, filter: MismatchFilter) {
  const { periods, codes, severities, statuses, invoice, order, currency, isNew } = filter;
  let query = db.selectFrom('mismatch').selectAll();
  if (periods) query = query.where(showsIn(periods));
  if (codes) query = query.where(isOneOf('code', codes));
  if (severities) query = query.where(isOneOf('severity', severities));
  if (statuses) query = query.where(isOneOf('status', statuses));
  if (invoice !== undefined) query = query.where('invoice_number', '=', invoice);
  if (order !== undefined) query = query.where('order_id', '=', order);
  if (currency !== undefined) query = query.where('currency', '=', currency);
  if (isNew) query = query.where(IS_NEW);
  return query;
}

/** The condition that the last check changed a mismatch: its entry in the history comes after that check's evidence. */
const IS_NEW = sql<boolean>`id in (
  select mismatch_id from mismatch_event
  where actor = ${REMIT} and evidence_id > (select coalesce(max(id), 0) from evidence where kind = 'check'))`;

export async function readMismatchesById(db: LedgerReader, ids: readonly string[]): Promise<Map<string, Mismatch>> {
  const mismatches = await inChunks(ids, (page) =>
    db.selectFrom('mismatch').selectAll().where('id', 'in', page).execute(),
  );
  return new Map(mismatches.map((mismatch) => [mismatch.id, mismatch]));
}

/** A stored mismatch with the months in which it shows. `resolved_by` is null while it is not resolved. */
export type StoredMismatch = Mismatch & { readonly months: readonly string[]; readonly resolved_by: string | null };

/** The mismatches that a run of the checks may change: a mismatch is one of them by any of these three. */
interface WantedMismatches {
  /** It has one of these codes, and shows in one of these months. */
  readonly codes: readonly string[];
  readonly periods: readonly string[];
  /** It has one of these codes, in whichever month it shows. */
  readonly everywhere: readonly string[];
  /** It has one of these ids. */
  readonly ids: readonly string[];
}

const RESOLVED_BY = sql<string | null>`case when m.status = 'resolved' then (
  select e.actor from mismatch_event e where e.mismatch_id = m.id order by e.evidence_id desc limit 1
) end`;

export async function readStoredMismatches(db: LedgerReader, { codes, periods, everywhere, ids }: WantedMismatches) {
  // No check ran, or none over any month: nothing may change.
  if (codes.length === 0 || periods.length === 0) return [];
  const rows = await rowsOf<{ id: string }>(db)`
    select id from mismatch
    where (${isOneOf('code', codes)} and ${showsIn(periods)}) or ${isOneOf('code', everywhere)}`;
  const wanted = [...new Set([...rows.map(({ id }) => id), ...ids])].sort();
  const stored: StoredMismatch[] = [];
  for (const chunk of chunks(wanted)) {
    const mismatches = await rowsOf<Omit<StoredMismatch, 'months'>>(db)`
      select m.*, ${RESOLVED_BY} as resolved_by from mismatch m
      where ${isOneOf('m.id', chunk)} order by m.id`;
    const months = await rowsOf<{ id: string; period: string }>(db)`
      select mismatch_id as id, period from mismatch_month
      where ${isOneOf('mismatch_id', chunk)} order by mismatch_id, period`;
    const monthsOf = groupBy(months, ({ id }) => id);
    for (const row of mismatches) {
      stored.push({ ...row, months: (monthsOf.get(row.id) ?? []).map(({ period }) => period) });
    }
  }
  return stored;
}

/** The mismatches of one invoice or of one order, resolved ones too, by month. */
export function readMismatchesOf(db: LedgerReader, filter: Pick<MismatchFilter, 'invoice' | 'order'>) {
  return mismatchesBy(db, filter).orderBy('period').orderBy('code').orderBy('id').execute();
}

/** The mismatches whose id begins with `prefix`, at most `most`. */
export async function findMismatches(db: LedgerReader, prefix: string, most = 10): Promise<MismatchTable[]> {
  // The last of all characters: every text that begins with the prefix sorts before it.
  const end = `${prefix}\u{10ffff}`;
  const found = db.selectFrom('mismatch').selectAll().where('id', '>=', prefix).where('id', '<', end);
  return found.orderBy('id').limit(most).execute();
}

export interface OpenCount extends Pick<MismatchTable, 'period' | 'severity'> {
  readonly status: Exclude<MismatchStatus, 'resolved'>;
  readonly count: number;
}

/** Counts the mismatches that are open or acknowledged; one that shows in several months counts in each. */
export async function countOpen(db: LedgerReader): Promise<OpenCount[]> {
  const rows = await rowsOf<OpenCount>(db)`
    select s.period, m.severity, m.status, count(*) as count
    from mismatch_month s join mismatch m on m.id = s.mismatch_id
    where m.status <> 'resolved' group by s.period, m.severity, m.status order by s.period`;
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

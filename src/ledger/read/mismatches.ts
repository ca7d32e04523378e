import { type RawBuilder, sql } from 'kysely';
import { chunks } from '../chunks.ts';
import type { MismatchEventTable, MismatchStatus, MismatchTable, Severity } from '../schema.ts';
import { isOneOf } from '../sql.ts';
import { REMIT } from '../write/mismatches.ts';
import type { LedgerReader } from './snapshot.ts';

/** A stored mismatch. */
export type Mismatch = MismatchTable;

/** The order in which people read mismatches: the worst first, then by month, invoice and order. */
export const READING_ORDER = sql`
  case severity when 'error' then 0 when 'warning' then 1 else 2 end, period,
  case when invoice_number is null then 1 else 0 end, invoice_number,
  case when order_id is null then 1 else 0 end, order_id, code,
  currency nulls first, field nulls first, id`;

/** A mismatch shows in its own month, and one about an order on several invoices in the month of each. */
function showsIn(periods: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`id in (select mismatch_id from mismatch_month where ${isOneOf('period', periods)})`;
}

/**
 * The mismatches that show in some months, the worst first.
 *
 * @param filter `codes`: those of these checks only; `unresolved`: leave out what is resolved
 */
export async function readMismatches(
  db: LedgerReader,
  periods: readonly string[],
  filter: { codes?: readonly string[]; unresolved?: boolean } = {},
): Promise<Mismatch[]> {
  let query = db.selectFrom('mismatch').selectAll().where(showsIn(periods));
  if (filter.codes) query = query.where('code', 'in', [...filter.codes]);
  if (filter.unresolved) query = query.where('status', '<>', 'resolved');
  return query.orderBy(READING_ORDER).execute();
}

/** The same for every month, by status (open first, resolved last) and then the worst first. */
export async function readMismatchesByStatus(db: LedgerReader, periods: readonly string[]): Promise<Mismatch[]> {
  return db
    .selectFrom('mismatch')
    .selectAll()
    .where(showsIn(periods))
    .orderBy(sql`case status when 'open' then 0 when 'acknowledged' then 1 else 2 end`)
    .orderBy(READING_ORDER)
    .execute();
}

/** What happened to a mismatch, from its first showing on. */
export async function readMismatchHistory(db: LedgerReader, id: string): Promise<MismatchEventTable[]> {
  return db.selectFrom('mismatch_event').selectAll().where('mismatch_id', '=', id).orderBy('evidence_id').execute();
}

/** Which mismatches are wanted; what is absent does not matter. */
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

/** The mismatches that a filter lets through, the worst first. */
export async function findMismatchesBy(db: LedgerReader, filter: MismatchFilter): Promise<Mismatch[]> {
  return mismatchesBy(db, filter).orderBy(READING_ORDER).execute();
}

/** The query for the mismatches that a filter lets through. */
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

/** Moved by the last check: its entries in the history come after it in the evidence. */
const IS_NEW = sql<boolean>`id in (
  select mismatch_id from mismatch_event
  where actor = ${REMIT} and evidence_id > (select coalesce(max(id), 0) from evidence where kind = 'check'))`;

/** Which of some mismatches are known. */
export async function readMismatchesById(db: LedgerReader, ids: readonly string[]): Promise<Map<string, Mismatch>> {
  const known = new Map<string, Mismatch>();
  for (const page of chunks(ids)) {
    const rows = await db.selectFrom('mismatch').selectAll().where('id', 'in', page).execute();
    for (const row of rows) known.set(row.id, row);
  }
  return known;
}

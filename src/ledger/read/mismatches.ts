import { type RawBuilder, sql } from 'kysely';
import type { MismatchEventTable, MismatchTable } from '../schema.ts';
import { isOneOf } from '../sql.ts';
import type { LedgerReader } from './snapshot.ts';

/** A stored mismatch. */
export type Mismatch = MismatchTable;

/** The order in which people read mismatches: the worst first, then by month, invoice and order. */
const READING_ORDER = sql`
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

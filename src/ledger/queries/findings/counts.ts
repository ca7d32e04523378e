/** How many mismatches are not resolved, by month. */
import type { Severity } from '../../schema.ts';
import type { LedgerReader } from '../snapshot.ts';

export interface OpenCount {
  readonly period: string;
  readonly severity: Severity;
  readonly status: 'open' | 'acknowledged';
  readonly count: number;
}

/** Counts the mismatches that are open or acknowledged; one that shows in several months counts in each. */
export async function countOpen(db: LedgerReader): Promise<OpenCount[]> {
  const rows = await db
    .selectFrom('mismatch_month as s')
    .innerJoin('mismatch as m', 'm.id', 's.mismatch_id')
    .select(['s.period', 'm.severity', 'm.status'])
    .select((eb) => eb.fn.countAll().as('count'))
    .where('m.status', '<>', 'resolved')
    .groupBy(['s.period', 'm.severity', 'm.status'])
    .orderBy('s.period')
    .execute();
  return rows.map(({ status, count, ...row }) => ({
    ...row,
    status: status as OpenCount['status'],
    count: Number(count),
  }));
}

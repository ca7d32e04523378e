import type { PeriodCloseItemTable } from '../../schema.ts';
import type { LedgerReader } from '../snapshot.ts';

/** An open item that a close froze. */
export type FrozenItem = Omit<PeriodCloseItemTable, 'close_id'>;

/** The items that were open when a month was closed, the oldest first. */
export function readFrozenItems(db: LedgerReader, close: number): Promise<FrozenItem[]> {
  return db
    .selectFrom('period_close_item')
    .select(['kind', 'subject', 'currency', 'issued_on', 'net_due_to_merchant', 'received', 'differences', 'open'])
    .where('close_id', '=', close)
    .orderBy('issued_on')
    .orderBy('kind')
    .orderBy('subject')
    .orderBy('currency')
    .execute();
}

/** The settings that figures rest on, as the evidence has them. */
import type { LedgerReader } from './snapshot.ts';

/**
 * The settings of the ledger: the last that were recorded, or the last before a piece of evidence. Where none were by then, the first
 * that ever were; null where none were.
 *
 * @param db of all couriers
 */
export async function readSettings(db: LedgerReader, before = Number.MAX_SAFE_INTEGER): Promise<unknown> {
  const records = db
    .selectFrom('evidence')
    .select('data')
    .where('kind', '=', 'settings')
    .where('subject', '=', 'books')
    .limit(1);
  const then = await records.where('id', '<', before).orderBy('id', 'desc').executeTakeFirst();
  const row = then ?? (await records.orderBy('id').executeTakeFirst());
  return row ? JSON.parse(row.data!) : null;
}

import { sql } from 'kysely';
import type { LedgerReader } from './snapshot.ts';

/**
 * The months that the ledger can say something about, in order: those that were listed, those of its invoices, and those in which
 * orders were delivered that stand on no invoice yet (in the offset of their own statestamps).
 */
export async function monthsHeld(db: LedgerReader): Promise<string[]> {
  const listed = await db.selectFrom('listing').select('period').distinct().where('kind', '=', 'invoices').execute();
  const invoiced = await db.selectFrom('invoice').select('period').distinct().execute();
  const delivered = await db
    .selectFrom('courier_order')
    .select(sql<string>`substr(first_delivered_at, 1, 7)`.as('period'))
    .distinct()
    .where('first_delivered_at', 'is not', null)
    .where('merchant_invoice', 'is', null)
    .execute();
  const months = [...listed, ...invoiced, ...delivered].map(({ period }) => period).filter((period) => period !== null);
  return [...new Set(months)].sort();
}

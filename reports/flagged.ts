import { findMismatchesBy, type LedgerReader } from '../src/ledger/read/index.ts';

/**
 * The orders about which a check found something, whatever became of it; null where no check is asked for.
 *
 * @param periods the months in which the mismatches show; all where absent
 */
export async function flaggedOrders(
  db: LedgerReader,
  code: string | undefined,
  periods?: readonly string[],
): Promise<Set<string | null> | null> {
  if (code === undefined) return null;
  return new Set((await findMismatchesBy(db, { codes: [code], periods })).map(({ order_id }) => order_id));
}

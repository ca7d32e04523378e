import { findMismatchesBy } from '../src/ledger/queries/findings/mismatches.ts';
import type { LedgerReader } from '../src/ledger/queries/snapshot.ts';

/**
 * The orders that a check has a mismatch about, resolved ones too; null where no check is asked for.
 *
 * @param periods the months in which the mismatches show; all where absent
 */
export async function ordersWithMismatch(
  db: LedgerReader,
  code: string | undefined,
  periods?: readonly string[],
): Promise<Set<string | null> | null> {
  if (code === undefined) return null;
  return new Set((await findMismatchesBy(db, { codes: [code], periods })).map(({ order_id }) => order_id));
}

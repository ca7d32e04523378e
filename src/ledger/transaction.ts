import { setTimeout as sleep } from 'node:timers/promises';
import { dialectOf } from './dialect/index.ts';
import type { Ledger, LedgerTransaction } from './open.ts';

const MOST_TRIES = 10;

/**
 * Runs `work` in a transaction, and again from its beginning if it failed only because others wrote at the same time.
 *
 * @param work may run more than once: it changes nothing but the ledger
 */
export async function usingTransaction<T>(
  { db, place }: Ledger,
  work: (trx: LedgerTransaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= MOST_TRIES || !(await dialectOf(place)).isConflict(error)) throw error;
      await sleep(10 * attempt);
    }
  }
}

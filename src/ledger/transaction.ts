import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { wholeLedger } from './courier.ts';
import type { LedgerLock } from './dialect/dialect.ts';
import { dialectOf } from './dialect/index.ts';
import type { Work } from './dialect/lock-holder.ts';
import { holdHead } from './evidence/append.ts';
import type { Ledger, LedgerTransaction } from './open.ts';

const MOST_TRIES = 10;

/**
 * Runs `work` in a transaction, and again from its beginning if it failed only because others wrote at the same time.
 *
 * If a transaction is already open, `work` becomes a part of it.
 *
 * @param work may run more than once: it changes nothing but the ledger
 */
export async function usingTransaction<T>(
  { db, place }: Ledger,
  work: (trx: LedgerTransaction) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= MOST_TRIES || !(await dialectOf(place)).isConflict(error)) throw error;
      await sleep(10 * attempt);
    }
  }
}

/**
 * Runs `work` in one transaction over all couriers' rows. Nobody else can append evidence until it ends, so what it reads stays
 * current. If it also has to keep other commands out, `work` calls `hold`; that lock is released once the transaction has ended.
 */
export async function usingWholeTransaction<T>(
  ledger: Ledger,
  work: (within: { readonly ledger: Ledger; readonly hold: (work: Work) => Promise<void> }) => Promise<T>,
): Promise<T> {
  const dialect = await dialectOf(ledger.place);
  const locks: LedgerLock[] = [];
  const releaseLocks = async () => {
    for (const lock of locks.splice(0)) await lock.release();
  };
  try {
    return await usingTransaction({ ...ledger, db: wholeLedger(ledger.db) }, async (trx) => {
      await releaseLocks();
      await holdHead(trx);
      const hold = async (why: Work) => {
        // One lock keeps all other work out.
        if (locks.length > 0) return;
        const lock = await dialect.lock(ledger.place, why, 0);
        locks.push(lock);
        await lock.confirm?.(async (query) => (await sql.raw<Record<string, unknown>>(query).execute(trx)).rows);
      };
      return work({ ledger: { ...ledger, db: trx }, hold });
    });
  } finally {
    await releaseLocks();
  }
}

/** Runs `work` within a transaction, and undoes all that it wrote. @returns its result */
export async function tryOut<T>(trx: LedgerTransaction, work: () => Promise<T>): Promise<T> {
  await sql`savepoint trial`.execute(trx);
  try {
    return await work();
  } finally {
    await sql`rollback to savepoint trial`.execute(trx);
    await sql`release savepoint trial`.execute(trx);
  }
}

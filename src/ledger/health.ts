import { sql } from 'kysely';
import type { Ledger } from './open.ts';

/**
 * Looks for damage in the ledger's file: pages, indexes, and rows that point to nothing.
 *
 * @returns one sentence a problem; empty when the ledger is sound
 */
export async function findDamage({ db }: Ledger): Promise<string[]> {
  const pages = await sql<{ quick_check: string }>`pragma quick_check(10)`.execute(db);
  const damage = pages.rows.map(({ quick_check }) => quick_check).filter((line) => line !== 'ok');
  const orphans = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
  for (const { table, parent } of orphans.rows.slice(0, 10)) damage.push(`a row of ${table} points to no ${parent}`);
  return damage;
}

/** The newest sync, whatever became of it; null before the first. */
export async function lastRun({ db }: Ledger): Promise<{ started_at: string; status: string } | null> {
  const run = await db
    .selectFrom('run')
    .select(['started_at', 'status'])
    .where('command', '=', 'sync')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return run ?? null;
}

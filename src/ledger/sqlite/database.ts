import type Database from 'better-sqlite3';
import { type Kysely, sql } from 'kysely';
import { openDatabase } from '../../sqlite.ts';
import type { LedgerSchema } from '../schema.ts';

/** Opens a handle with the settings that every connection to a ledger needs. */
export function openSqlite(file: string): Database.Database {
  const handle = openDatabase(file, { timeout: 5_000 });
  try {
    handle.pragma('journal_mode = WAL');
    // Switching to WAL silently lowers `synchronous` to NORMAL, which may lose the last transactions at a power cut.
    handle.pragma('synchronous = FULL');
    handle.pragma('foreign_keys = ON');
    handle.pragma('trusted_schema = OFF');
    handle.pragma('temp_store = MEMORY');
    handle.pragma('cache_size = -32000');
  } catch (error) {
    handle.close();
    throw error;
  }
  return handle;
}

/** The names of the tables that a database holds. */
export function tableNames(handle: Database.Database): string[] {
  return handle.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
}

/** Writes a complete copy of a database, also while another process writes to it. */
export async function copyDatabase(file: string, copy: string): Promise<void> {
  const handle = openSqlite(file);
  try {
    await handle.backup(copy);
  } finally {
    handle.close();
  }
}

/** What the copy of a database may leave beside it while it is made. */
export const SIDE_FILES = ['-wal', '-shm', '-journal'] as const;

/**
 * Looks for damage in a database: pages, indexes, and rows that point to nothing.
 *
 * @returns one sentence a problem; empty when it is sound
 */
export async function findDamage(db: Kysely<LedgerSchema>): Promise<string[]> {
  const pages = await sql<{ quick_check: string }>`pragma quick_check(10)`.execute(db);
  const damage = pages.rows.map(({ quick_check }) => quick_check).filter((line) => line !== 'ok');
  const orphans = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db);
  for (const { table, parent } of orphans.rows.slice(0, 10)) damage.push(`a row of ${table} points to no ${parent}`);
  return damage;
}

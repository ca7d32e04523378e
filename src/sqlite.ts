import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/**
 * The binding that fits this Node: better-sqlite3 13 and later aborts on Node 20, and up to 12 on Node 24, so both are installed.
 * Loaded on first use: commands that need no database start without it.
 */
const PACKAGE = Number.parseInt(process.versions.node, 10) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';

/** Opens an SQLite database. @throws SqliteError, or TypeError where the file's folder does not exist */
export function openDatabase(file: string, options?: BetterSqlite3.Options): BetterSqlite3.Database {
  const Database = createRequire(import.meta.url)(PACKAGE) as typeof BetterSqlite3;
  return new Database(file, options);
}

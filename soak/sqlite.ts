import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/** The binding that is installed for this Node. */
export function loadSqlite(): typeof BetterSqlite3 {
  const isOld = Number.parseInt(process.versions.node, 10) < 22;
  return createRequire(import.meta.url)(isOld ? 'better-sqlite3-node20' : 'better-sqlite3');
}

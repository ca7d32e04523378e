import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

/**
 * Loads a binding's own code, which loads its binary with the first database. The bundle puts another module in this one's place
 * (bundle/sqlite.mjs).
 *
 * @throws NodeJS.ErrnoException when the package is not installed
 */
export function loadPackage(name: string): typeof BetterSqlite3 {
  return createRequire(import.meta.url)(name);
}

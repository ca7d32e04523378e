import { closeSync, openSync } from 'node:fs';
import { ConfigError, InstallationError } from './errors.ts';
import { PRIVATE_FILE } from './private.ts';
import { isExecutable } from './program.ts';
import { loadBetterSqlite3 } from './sqlite/better-sqlite3.ts';
import type { Binding, SqliteDatabase, SqliteOptions } from './sqlite/database.ts';
import { loadNodeSqlite } from './sqlite/node-sqlite.ts';

export type { SqliteDatabase, SqliteStatement } from './sqlite/database.ts';

/**
 * Opens an SQLite database. Only its owner can read a new file, and what SQLite keeps beside it. With an empty name it
 * is a temporary file that no other program can open.
 *
 * @throws an error with SQLite's own code, such as `SQLITE_CANTOPEN`
 * @throws InstallationError when SQLite cannot be loaded
 */
export function openDatabase(file: string, options: SqliteOptions = {}): SqliteDatabase {
  const { open } = binding();
  if (!options.readonly && !options.fileMustExist && file !== ':memory:' && file !== '') makePrivate(file);
  return open(file, options);
}

/** Makes the file first, because SQLite would make it readable by everybody. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE));
  } catch {
    // It exists already, or cannot be made, which SQLite reports in its own codes.
  }
}

/**
 * Which SQLite is used, and why not the first choice: `node:sqlite; better-sqlite3 does not load: ...`.
 *
 * @throws InstallationError when none can be loaded
 */
export function describeBinding(): string {
  const { name, why } = binding();
  return why === undefined ? name : `${name}; better-sqlite3 does not load: ${why}`;
}

interface Loaded extends Binding {
  /** Why better-sqlite3 does not load; absent if it is used, or if REMIT_SQLITE chose another. */
  readonly why?: string;
}

let loaded: Loaded | undefined;

/** Loaded on first use: commands that need no database start without it. */
function binding(): Loaded {
  // A binary cannot be loaded from inside an executable.
  loaded ??= load(isExecutable ? 'node' : process.env.REMIT_SQLITE || undefined);
  return loaded;
}

/** Loads better-sqlite3, which is faster and runs on every supported Node; Node's own SQLite if it does not load. */
function load(chosen: string | undefined): Loaded {
  if (chosen !== undefined && chosen !== 'better-sqlite3' && chosen !== 'node') {
    throw new ConfigError('REMIT_SQLITE is neither `better-sqlite3` nor `node`', 'Correct it, or unset it.');
  }
  if (chosen === 'node') {
    const nodeSqlite = loadNodeSqlite();
    if (nodeSqlite) return nodeSqlite;
    const message = `Node.js ${process.versions.node} has no SQLite of its own that remit could use`;
    throw new InstallationError(message, 'Use Node.js 22.16 or later, or unset REMIT_SQLITE.');
  }
  try {
    return loadBetterSqlite3();
  } catch (error) {
    const nodeSqlite = loadNodeSqlite();
    if (nodeSqlite === undefined || !(error instanceof InstallationError)) throw error;
    if (chosen === undefined) return { ...nodeSqlite, why: error.message };
    const hint = `Unset REMIT_SQLITE: Node.js ${process.versions.node} has an SQLite of its own.`;
    throw new InstallationError(error.message, hint, { cause: error });
  }
}

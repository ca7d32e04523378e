import { closeSync, openSync } from 'node:fs';
import type BetterSqlite3 from 'better-sqlite3';
import { InstallationError } from './errors.ts';
import { PRIVATE_FILE } from './files/folder.ts';
import { rebuildHint } from './rebuild-hint.ts';
import { loadPackage } from './sqlite-package.ts';

/**
 * The binding that fits this Node: better-sqlite3 13 and later aborts on Node 20, and up to 12 on Node 24, so both are installed
 * (build-sqlite.mjs makes the same choice). Loaded on first use: commands that need no database start without it.
 */
const PACKAGE = Number.parseInt(process.versions.node, 10) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';

/**
 * Opens an SQLite database. A file that is made is its owner's alone, and so is what SQLite keeps beside it.
 *
 * @throws SqliteError, or TypeError where the file's folder does not exist
 * @throws InstallationError when the binding is missing, or was built for another Node
 */
export function openDatabase(file: string, options?: BetterSqlite3.Options): BetterSqlite3.Database {
  const Database = loadBinding();
  if (!options?.readonly && !options?.fileMustExist && file !== ':memory:') makePrivate(file);
  return new Database(file, options);
}

/** SQLite itself would make the file readable by everybody. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', PRIVATE_FILE));
  } catch {
    // It is there already, or it cannot be made, which SQLite reports in its own codes.
  }
}

function loadBinding(): typeof BetterSqlite3 {
  try {
    const Database = loadPackage(PACKAGE);
    // Only the first open loads the binary; of a database in memory nothing else can fail.
    new Database(':memory:').close();
    return Database;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isInstalled = !message.includes(`'${PACKAGE}'`);
    throw new InstallationError(describe(code, message), rebuildHint(import.meta.dirname, isInstalled), { cause });
  }
}

function describe(code: string | undefined, message: string): string {
  const node = `Node.js ${process.versions.node}`;
  if (message.includes('NODE_MODULE_VERSION'))
    return `SQLite was built for another Node.js than ${node}, which runs now`;
  // The second is the words of `bindings`, with which better-sqlite3 12 looks for its binary.
  if (code === 'MODULE_NOT_FOUND' || message.startsWith('Could not locate')) return `SQLite was not built for ${node}`;
  return `${node} (${process.platform} ${process.arch}) cannot load SQLite: ${message.split('\n')[0]}`;
}

import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { FileError } from '../../errors.ts';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { Store } from './store.ts';

/** How long a writer waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens the service's file, and makes it where it does not exist. Several processes may hold one file open at a time.
 *
 * @param options.mustExist refuse a file that is not there, so that a mistyped path does not look like an empty service
 * @throws FileError when the file is missing (with `mustExist`), cannot be opened, is no sandbox, or is of a newer version
 */
export function openStore(file: string, options: { mustExist?: boolean } = {}): Store {
  if (options.mustExist && file !== ':memory:' && !existsSync(file)) {
    throw new FileError(
      `${file} does not exist`,
      `Make it with: remit sandbox seed --data ${file}, or, without a world in it: remit sandbox key create --data ${file} --merchant NAME`,
    );
  }
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    refuseForeignDatabase(db, file);
    useWriteAheadLog(db);
    // Switching to WAL lowers `synchronous` to NORMAL, with which an answered write could be lost at a power cut.
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('trusted_schema = OFF');
    createTables(db);
    return new Store(db);
  } catch (error) {
    db?.close();
    throw explain(error, file);
  }
}

function pragma(db: Database.Database, name: string): number {
  return db.pragma(name, { simple: true }) as number;
}

function refuseForeignDatabase(db: Database.Database, file: string): void {
  const empty = db.prepare('select count(*) from sqlite_schema').pluck().get() === 0;
  if (!empty && pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new FileError(
      `${file} is a database, but not a sandbox's`,
      'Name another file with --data; this one is left as it is.',
    );
  }
  if (pragma(db, 'user_version') > SCHEMA_VERSION) {
    throw new FileError(
      `${file} was made by a newer version of remit`,
      'Update remit, or name another file with --data.',
    );
  }
}

/** The switch to WAL needs the file alone and does not wait for it, so that processes that start together take turns here. */
function useWriteAheadLog(db: Database.Database): void {
  const deadline = Date.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isSqliteError(error, 'SQLITE_BUSY') || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

/** In one transaction, so that of two processes that open a new file at once, one makes the tables and the other finds them. */
function createTables(db: Database.Database): void {
  if (pragma(db, 'user_version') === SCHEMA_VERSION) return;
  db.transaction(() => {
    if (pragma(db, 'user_version') !== SCHEMA_VERSION) db.exec(SCHEMA);
  }).immediate();
}

function isSqliteError(error: unknown, code: string): error is { code: string; message: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith(code);
}

function explain(error: unknown, file: string): unknown {
  if (isSqliteError(error, 'SQLITE_NOTADB')) {
    return new FileError(`${file} is not a database`, 'Name another file with --data; this one is left as it is.', {
      cause: error,
    });
  }
  if (isSqliteError(error, 'SQLITE_BUSY')) {
    return new FileError(`${file} is locked by another process`, 'Wait until it has finished, then try again.', {
      cause: error,
    });
  }
  if (
    isSqliteError(error, 'SQLITE') ||
    (error instanceof TypeError && /directory does not exist/.test(error.message))
  ) {
    return new FileError(
      `${file} cannot be opened: ${(error as Error).message}`,
      'Check that its folder exists and that you may write there.',
      { cause: error },
    );
  }
  return error;
}

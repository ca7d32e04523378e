import { existsSync, rmSync, statSync } from 'node:fs';
import { FileError, RemitError } from '../../base/errors.ts';
import { openDatabase, type SqliteDatabase } from '../../base/sqlite.ts';
import { shellWord } from '../../base/text.ts';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { Store } from './store.ts';

/** How long a writer waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens the service's file, and makes it if it does not exist. Several processes may have it open.
 *
 * @param options.mustExist refuse a file that does not exist, so that a mistyped path does not become an empty service
 * @throws FileError when the file is missing (with `mustExist`), cannot be opened or made, is not a sandbox, or is of
 *   another version of remit; a file that could not be made is removed
 */
export function openStore(file: string, options: { mustExist?: boolean } = {}): Store {
  const isNew = file !== ':memory:' && !existsSync(file);
  if (options.mustExist && isNew) {
    const data = shellWord(file);
    throw new FileError(
      `${file} does not exist`,
      `Make it with: remit sandbox seed --data ${data}, or, without a world in it: remit sandbox key create --data ${data} --merchant NAME`,
    );
  }
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) {
    throw new FileError(`${file} is a folder`, 'Name a file with --data, such as courier.db.');
  }
  let db: SqliteDatabase | undefined;
  try {
    db = openDatabase(file, { timeout: BUSY_TIMEOUT_MS });
    refuseForeignDatabase(db, file);
    useWriteAheadLog(db);
    // In WAL mode better-sqlite3 sets NORMAL, which can lose an answered write in a power cut.
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('trusted_schema = OFF');
    createTables(db);
    return new Store(db);
  } catch (error) {
    db?.close();
    // A file that was new, and now is busy or has other content (a RemitError), was made by another process meanwhile.
    const isOfAnother = error instanceof RemitError || isSqliteError(error, 'SQLITE_BUSY');
    if (isNew && db && !isOfAnother) removeStore(file);
    throw explainStoreFault(error, file);
  }
}

/** Removes a service file that could not be filled, and SQLite's files next to it. */
export function removeStore(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

function pragma(db: SqliteDatabase, name: string): number {
  return db.pragma(name, { simple: true }) as number;
}

/** Also refuses a file of an earlier version, which is not migrated: a new world takes a second to make. */
function refuseForeignDatabase(db: SqliteDatabase, file: string): void {
  const isEmpty = db.prepare('select count(*) from sqlite_schema').pluck().get() === 0;
  if (!isEmpty && pragma(db, 'application_id') !== APPLICATION_ID) {
    const what = `${file} is a database, but not a sandbox's`;
    throw new FileError(what, 'Name another file with --data; this one is left as it is.');
  }
  if (!isEmpty && pragma(db, 'user_version') < SCHEMA_VERSION) {
    const hint = 'Seed a new file with: remit sandbox seed --data FILE; this one is left as it is.';
    throw new FileError(`${file} was made by an older version of remit`, hint);
  }
  if (pragma(db, 'user_version') > SCHEMA_VERSION) {
    const hint = 'Update remit, or name another file with --data.';
    throw new FileError(`${file} was made by a newer version of remit`, hint);
  }
}

/**
 * Switches to WAL, for which no other process may have the file open. SQLite does not wait for that, so this retries
 * until the other processes are done.
 */
function useWriteAheadLog(db: SqliteDatabase): void {
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

/** In one transaction: if two processes open a new file, one makes the tables and the other finds them. */
function createTables(db: SqliteDatabase): void {
  if (pragma(db, 'user_version') === SCHEMA_VERSION) return;
  db.transaction(() => {
    if (pragma(db, 'user_version') !== SCHEMA_VERSION) db.exec(SCHEMA);
  }).immediate();
}

/** By the start of SQLite's code (`SQLITE_IOERR` is also for `SQLITE_IOERR_WRITE`). `{file}` stands for the file. */
const REMEDIES: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  SQLITE_NOTADB: ['{file} is not a database', 'Name another file with --data; this one is left as it is.'],
  SQLITE_CORRUPT: ['{file} is damaged', 'Restore a copy of it, or move it away and seed a new one.'],
  SQLITE_FULL: [
    'the disk that holds {file} is full',
    'Free some space and run the command again; what was done before is kept.',
  ],
  SQLITE_CANTOPEN: [
    '{file} cannot be opened or made',
    'Check that its folder exists and that you may write there: a read-only disk will not do.',
  ],
  SQLITE_READONLY: [
    '{file} or its folder is read-only',
    'Give yourself write permission on the folder (SQLite keeps its journal there), or name another file with --data.',
  ],
  SQLITE_PERM: ['{file} may not be accessed', 'Check the permissions of the file and its folder.'],
  SQLITE_BUSY: ['{file} is being written by another process', 'Wait until it has finished, then try again.'],
  SQLITE_IOERR: [
    'the disk failed while reading or writing {file}',
    'Check the disk (is it full, unplugged, or a network folder?) and run the command again.',
  ],
};

/** Whether an error is SQLite's: of any kind, or of one such as `SQLITE_BUSY`. */
function isSqliteError(error: unknown, kind = 'SQLITE_'): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith(kind);
}

/** A failure of SQLite as an error that names the service's file and the remedy; any other error unchanged. */
export function explainStoreFault(error: unknown, file: string): unknown {
  if (!isSqliteError(error)) return error;
  const [, remedy] = Object.entries(REMEDIES).find(([prefix]) => error.code.startsWith(prefix)) ?? [];
  const [message, hint] = remedy ?? [
    `{file} cannot be read or written: ${error.message}`,
    'Check the file, its folder and the disk; what was done before is kept.',
  ];
  const what = message.replace('{file}', () => file);
  return new FileError(what, hint, { cause: error });
}

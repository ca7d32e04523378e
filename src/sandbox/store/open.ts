import { existsSync, rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { FileError, RemitError } from '../../errors.ts';
import { shellWord } from '../../shell-word.ts';
import { openDatabase } from '../../sqlite.ts';
import { makeBodies } from '../present/bodies.ts';
import { explainStoreFault, isSqliteError } from './faults.ts';
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts';
import { Store } from './store.ts';

/** How long a writer waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens the service's file, and makes it where it does not exist. Several processes may hold one file open at a time.
 *
 * @param options.mustExist refuse a file that is not there, so that a mistyped path does not look like an empty service
 * @throws FileError when the file is missing (with `mustExist`), cannot be opened or made, is no sandbox, or is of a newer
 *   version; a file that could not be made is not left behind
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
  let db: Database.Database | undefined;
  try {
    db = openDatabase(file, { timeout: BUSY_TIMEOUT_MS });
    refuseForeignDatabase(db, file);
    useWriteAheadLog(db);
    // Switching to WAL lowers `synchronous` to NORMAL, with which an answered write could be lost at a power cut.
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    // A statement that fires triggers keeps what it changed until it ends: in a temporary file, that took most of a seeding.
    db.pragma('temp_store = MEMORY');
    db.pragma('trusted_schema = OFF');
    createTables(db);
    return new Store(db, makeBodies);
  } catch (error) {
    db?.close();
    // A file that is busy, or holds something else by now, is another process's.
    if (isNew && db && !(error instanceof RemitError) && !isSqliteError(error, 'SQLITE_BUSY')) removeStore(file);
    throw explainStoreFault(error, file);
  }
}

/** Removes a service file that could not be filled, with what SQLite keeps beside it. */
export function removeStore(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

function pragma(db: Database.Database, name: string): number {
  return db.pragma(name, { simple: true }) as number;
}

/** A world is made again in a second, so that a file of an earlier version is not brought up to date. */
function refuseForeignDatabase(db: Database.Database, file: string): void {
  const empty = db.prepare('select count(*) from sqlite_schema').pluck().get() === 0;
  if (!empty && pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new FileError(
      `${file} is a database, but not a sandbox's`,
      'Name another file with --data; this one is left as it is.',
    );
  }
  if (!empty && pragma(db, 'user_version') < SCHEMA_VERSION) {
    throw new FileError(
      `${file} was made by an older version of remit`,
      'Seed a new file with: remit sandbox seed --data FILE; this one is left as it is.',
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

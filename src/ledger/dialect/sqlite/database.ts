import { copyFileSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { makeTemporaryFolder } from '../../../base/files/temporary-folder.ts';
import { openDatabase, type SqliteDatabase } from '../../../base/sqlite.ts';
import type { ConnectionOptions } from '../dialect.ts';

/** A handle, and what to do once it is closed. */
interface Opened {
  readonly handle: SqliteDatabase;
  release(): void;
}

/**
 * Opens a handle with the settings that every connection to a ledger needs. A ledger that may only be read, in a folder where
 * SQLite cannot keep its journal, is read from a copy.
 */
export function openSqlite(file: string, options: Omit<ConnectionOptions, 'lock'>): Opened {
  const { busyMs: timeout = BUSY_MS, create, holdsReadOnly = false, scratch } = options;
  try {
    const handle = openDatabase(file, { timeout, fileMustExist: !create, readonly: holdsReadOnly });
    return { handle: configured(handle, { scratch, holdsReadOnly }), release() {} };
  } catch (error) {
    if (!options.readOnly || !isReadOnly(error)) throw error;
    return openCopy(file);
  }
}

const BUSY_MS = 5_000;
/** How much of the file is held in memory. */
export const CACHE_KB = 16_000;
/** A reader goes through tables in order and asks for no page twice. */
export const READING_CACHE_KB = 8_000;

function configured(
  handle: SqliteDatabase,
  { scratch, holdsReadOnly = false }: Pick<ConnectionOptions, 'scratch' | 'holdsReadOnly'>,
): SqliteDatabase {
  try {
    // The file is first looked at by a statement that reads it.
    handle.pragma(holdsReadOnly ? 'schema_version' : 'journal_mode = WAL');
    // Switching to WAL silently lowers `synchronous` to NORMAL, which may lose the last transactions at a power cut.
    handle.pragma(`synchronous = ${scratch ? 'OFF' : 'FULL'}`);
    handle.pragma('foreign_keys = ON');
    handle.pragma('trusted_schema = OFF');
    // What a sort needs beyond the cache goes into a file without a name: in memory it would grow with the books.
    handle.pragma('temp_store = FILE');
    handle.pragma(`cache_size = -${CACHE_KB}`);
  } catch (error) {
    handle.close();
    throw error;
  }
  return handle;
}

function isReadOnly(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && /^SQLITE_(READONLY|CANTOPEN|IOERR)/.test(code);
}

function openCopy(file: string): Opened {
  const folder = makeTemporaryFolder();
  const release = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, path.basename(file));
    for (const ending of ['', '-wal']) if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending);
    return { handle: configured(openDatabase(copy, { timeout: BUSY_MS }), { scratch: true }), release };
  } catch (error) {
    release();
    throw error;
  }
}

import { existsSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { Kysely, Migrator } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import { LedgerError } from '../errors.ts';
import {
  explainLedgerFault,
  LedgerSqliteDialect,
  openSqlite,
  sqliteMigrations,
  tableNames,
  takeLock,
} from './dialect.ts';
import type { LedgerSchema } from './schema.ts';

/** An open ledger. Get one from {@link usingLedger}, which closes it. */
export interface Ledger {
  readonly file: string;
  readonly db: Kysely<LedgerSchema>;
}

export interface OpenOptions {
  /** Make the ledger when it is not there (sync does); otherwise a missing one is an error. */
  readonly create?: boolean;
  /** Hold the side lock for as long as the ledger is open, so that no second sync starts (exit 4). */
  readonly exclusive?: boolean;
}

/** How long to wait for the lock when only the schema has to be brought up to date. */
const MIGRATION_WAIT_MS = 30_000;

/**
 * Opens a ledger, brings its schema up to date, lends it to `use`, and closes it whatever happens.
 *
 * @throws LedgerError when it is missing, damaged, no ledger, of a newer version, or its folder is read-only or full
 * @throws LedgerBusyError when `exclusive` and another sync is at work
 */
export async function usingLedger<T>(
  file: string,
  options: OpenOptions,
  use: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  if (!options.create && !existsSync(file)) {
    throw new LedgerError(
      `there is no ledger at ${file}`,
      'Run `remit sync` first, or name another books folder with -C.',
    );
  }
  let release: (() => void) | undefined;
  let db: Kysely<LedgerSchema> | undefined;
  try {
    if (options.exclusive) release = takeLock(file);
    const handle = openSqlite(file);
    db = new Kysely<LedgerSchema>({ dialect: new LedgerSqliteDialect(handle) });
    if (!isCurrent(handle, file)) {
      const releaseMigration = release ?? takeLock(file, MIGRATION_WAIT_MS);
      try {
        await migrateToLatestOrThrow(db, file);
      } finally {
        if (!release) releaseMigration();
      }
    }
    return await use({ file, db });
  } catch (error) {
    throw explainLedgerFault(error, file);
  } finally {
    await db?.destroy();
    release?.();
  }
}

/** Whether every migration is applied. @throws LedgerError for a foreign database or a newer ledger */
function isCurrent(handle: Database.Database, file: string): boolean {
  const tables = tableNames(handle);
  if (tables.length === 0) return false;
  if (!tables.includes('kysely_migration')) {
    throw new LedgerError(
      `${file} is a database, but not a remit ledger`,
      'Point REMIT_LEDGER (or `ledger` in remit.toml) at a ledger, or at a file that does not exist yet.',
    );
  }
  const known = Object.keys(migrations(sqliteMigrations));
  const applied = handle.prepare<[], { name: string }>('select name from kysely_migration').all();
  const unknown = applied.find(({ name }) => !known.includes(name));
  if (unknown) {
    throw new LedgerError(
      `${file} was made by a newer remit (it holds ${unknown.name})`,
      'Update remit on this machine, or use the newer one; nothing was changed.',
    );
  }
  return applied.length === known.length;
}

async function migrateToLatestOrThrow(db: Kysely<LedgerSchema>, file: string): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations(sqliteMigrations) },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const explained = explainLedgerFault(error, file);
  if (explained !== error) throw explained;
  const failed = results?.find((r) => r.status === 'Error')?.migrationName ?? 'a migration';
  throw new LedgerError(
    `${file} could not be brought up to date: ${failed} failed: ${(error as Error).message}`,
    'The ledger was left as it was. Keep a copy and report this.',
    { cause: error },
  );
}

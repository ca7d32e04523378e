/** Everything in which SQLite differs from other databases: pragmas, locks, migrations' types, money as text, backup. */
import Database from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type RawBuilder,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  sql,
} from 'kysely';
import type { MigrationDialect } from '../../migrations/index.ts';

/** kysely takes SQLite's DDL for non-transactional by default, and a failed migration would leave half of its tables. */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
  /** The side lock of lock.ts is held around migrations instead. */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Every transaction on a ledger writes: taking the write lock at once is what makes waiting for another writer work. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** SQLite rolls back by itself when the disk fails; that there is nothing left to roll back must not hide that failure. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!/no transaction is active/.test((error as Error).message)) throw error;
    }
  }
}

export class LedgerSqliteDialect extends SqliteDialect {
  readonly #database: Database.Database;

  constructor(database: Database.Database) {
    super({ database });
    this.#database = database;
  }
  override createDriver(): Driver {
    return new ImmediateDriver({ database: this.#database });
  }
  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

/** Begins a transaction that only reads: it sees one state of the ledger until it ends, and keeps no writer waiting. */
export const beginSnapshot = sql`begin deferred`;

/** The most bound variables that one statement may hold. */
export const MAX_VARIABLES = 32_766;

/** Opens a handle with the settings that every connection to a ledger needs. */
export function openSqlite(file: string): Database.Database {
  const handle = new Database(file, { timeout: 5_000 });
  try {
    handle.pragma('journal_mode = WAL');
    // Switching to WAL silently lowers `synchronous` to NORMAL, which may lose the last transactions at a power cut.
    handle.pragma('synchronous = FULL');
    handle.pragma('foreign_keys = ON');
    handle.pragma('trusted_schema = OFF');
    handle.pragma('temp_store = MEMORY');
    handle.pragma('cache_size = -32000');
  } catch (error) {
    handle.close();
    throw error;
  }
  return handle;
}

/** A money column or sum as text: as a number, units above 2^53 would be read wrong. */
export function unitsText(expression: RawBuilder<unknown> | string): RawBuilder<string> {
  return sql<string>`cast(${typeof expression === 'string' ? sql.ref(expression) : expression} as text)`;
}

export const sqliteMigrations: MigrationDialect = {
  integer: sql`integer`,
  blob: sql`blob`,
  tableEnd: sql`strict`,
  clusteredTableEnd: sql`strict, without rowid`,
  appendOnly: (table) =>
    ['update', 'delete'].map(
      (
        action,
      ) => sql`create trigger ${sql.raw(`${table}_refuses_${action}`)} before ${sql.raw(action)} on ${sql.table(table)}
        begin select raise(abort, ${sql.lit(`${table} is append-only`)}); end`,
    ),
  decimalText: (column) => {
    const c = sql.raw(column);
    return sql`case when ${c} is null then null else
      case when ${c} < 0 then '-' else '' end || (abs(${c}) / 10000) || '.' ||
      case when abs(${c}) % 100 = 0 then printf('%02d', abs(${c}) % 10000 / 100) else printf('%04d', abs(${c}) % 10000) end end`;
  },
};

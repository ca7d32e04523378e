import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type PrimitiveValueListNode,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqliteDatabase } from '../../../base/sqlite.ts';
import { SqliteLedgerConnection } from './connection.ts';

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
  readonly #connection: SqliteLedgerConnection;

  constructor(database: SqliteDatabase) {
    super({ database });
    this.#connection = new SqliteLedgerConnection(database);
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    // Waits until it is free.
    await super.acquireConnection();
    return this.#connection;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** SQLite rolls back by itself when the disk fails; the error that nothing is left to roll back must not hide that failure. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!/no transaction is active/.test((error as Error).message)) throw error;
    }
  }
}

/** Hundreds of values between brackets are written at once: one by one, that takes longer than the statement. */
class ListCompiler extends SqliteQueryCompiler {
  protected override visitPrimitiveValueList({ values }: PrimitiveValueListNode): void {
    this.append(`(${new Array(values.length).fill('?').join(', ')})`);
    for (const value of values) this.addParameter(value);
  }
}

export class LedgerSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    super({ database });
    this.#database = database;
  }
  override createDriver(): Driver {
    return new ImmediateDriver(this.#database);
  }
  override createQueryCompiler(): SqliteQueryCompiler {
    return new ListCompiler();
  }
  override createAdapter(): SqliteAdapter {
    return new TransactionalDdlAdapter();
  }
}

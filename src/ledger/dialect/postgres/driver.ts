import {
  CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type TransactionSettings,
} from 'kysely';
import type { LedgerLock } from '../dialect.ts';
import { PostgresLedgerConnection } from './connection.ts';
import { introspectorOf } from './introspector.ts';

/** The ledger takes locks of its own around migrations: kysely's is one for the whole database, and does nothing on some engines. */
class OwnLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Of so many new rows the planner is told at once. What the server notices by itself, it notices a minute later. */
const MANY_ROWS = 10_000;
/** How long that may wait for a table that another session is at, and take in all: it only makes what comes next faster. */
const ANALYZE_WAIT = '2s';
const ANALYZE_TIME = '30s';

/** Each transaction begins with a look at the lock, where one is held: a writer that lost it must not write. */
class ConfirmingDriver extends PostgresDriver {
  readonly #lock: LedgerLock | null;
  readonly #inserted = new Map<string, number>();

  constructor(config: PostgresDialectConfig, lock: LedgerLock | null) {
    super(config);
    this.#lock = lock;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return new PostgresLedgerConnection(await super.acquireConnection(), this.#inserted);
  }

  override releaseConnection(connection: DatabaseConnection): Promise<void> {
    return super.releaseConnection((connection as PostgresLedgerConnection).inner as never);
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction(connection, settings);
    try {
      await this.#lock?.confirm?.(
        async (query) => (await connection.executeQuery<Record<string, unknown>>(CompiledQuery.raw(query))).rows,
      );
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    }
  }

  override async destroy(): Promise<void> {
    await this.#analyze().catch(() => {});
    await super.destroy();
  }

  /**
   * A check right after the first sync would go by guesses. All tables at once: knowing some and guessing others is worse than knowing
   * none. Who does not own them may not, and is only warned. The connection is closed right after: its limits are nobody else's.
   */
  async #analyze(): Promise<void> {
    if (![...this.#inserted.values()].some((rows) => rows >= MANY_ROWS)) return;
    const connection = await this.acquireConnection();
    try {
      const limits = `select set_config('lock_timeout', '${ANALYZE_WAIT}', false), set_config('statement_timeout', '${ANALYZE_TIME}', false)`;
      await connection.executeQuery(CompiledQuery.raw(limits));
      const tables = 'select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()';
      const { rows } = await connection.executeQuery<{ name: string }>(CompiledQuery.raw(tables));
      await connection.executeQuery(CompiledQuery.raw(`analyze ${rows.map(({ name }) => name).join(', ')}`));
    } finally {
      await this.releaseConnection(connection);
    }
  }

  /** It fails only where the connection is gone, and then the server has rolled back: the first failure is what people must hear of. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}

export class LedgerPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #lock: LedgerLock | null;

  constructor(config: PostgresDialectConfig, lock: LedgerLock | null) {
    super(config);
    this.#config = config;
    this.#lock = lock;
  }
  override createDriver(): Driver {
    return new ConfirmingDriver(this.#config, this.#lock);
  }
  override createAdapter(): PostgresAdapter {
    return new OwnLockAdapter();
  }
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return introspectorOf(db);
  }
}

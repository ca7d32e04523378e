import {
  CompiledQuery,
  type DatabaseConnection,
  DeleteQueryNode,
  type Dialect,
  InsertQueryNode,
  PostgresAdapter,
  type PostgresDialectConfig,
  PostgresDriver,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
  UpdateQueryNode,
} from 'kysely';
import {
  arrayOf,
  type BulkInsert,
  insertHead,
  manyRowsOf,
  selectWritten,
  type WrittenColumn,
  type WrittenTable,
} from '../bulk-queries.ts';
import type { LedgerLock } from '../dialect.ts';
import { Batch, copyStatement, PendingWrites, withIndexLookups, writtenValue } from './batch.ts';
import { untilTaken } from './client.ts';
import { QueryCache } from './query-cache.ts';
import { introspectorOf } from './schema.ts';

/** How every connection of a pool is used. */
export interface Habits {
  /** Settings to make at the beginning of each transaction, for that transaction. */
  readonly atBegin: readonly string[];
  /** False for an engine that only speaks PostgreSQL's protocol; known once there is a connection. */
  readonly isPostgres: boolean;
  /**
   * A proxy may share the session, so no setting of it holds: a statement outside a transaction then gets one. Streams
   * do not: they are read within transactions only.
   */
  readonly isShared: boolean;
}

const BEGINS = /^(?:begin|start transaction)\b/i;
const ENDS = /^(?:commit|rollback)$/i;
const ROLLS_BACK_TO = /^rollback to\b/i;

/**
 * Wraps a driver's connection: it also runs bulk inserts, and waits for the server only for a query's answer. In a
 * transaction, writes wait for the next query (`PendingWrites`), and one round trip sends them all (`Batch`); a query's
 * result is kept until a write changes one of its tables (`QueryCache`).
 */
class PostgresLedgerConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #habits: Habits;
  readonly #inserted: Map<string, number>;
  readonly #cache = new QueryCache();
  readonly #pending: PendingWrites;
  #isInTransaction = false;

  /** @param inserted counts the rows that are inserted in bulk, by table */
  constructor(inner: DatabaseConnection, habits: Habits, inserted: Map<string, number>) {
    this.inner = inner;
    this.#habits = habits;
    this.#inserted = inserted;
    this.#pending = new PendingWrites(async (writes, query) => {
      const batch = CompiledQuery.raw('', [new Batch(withIndexLookups(writes), query)]);
      // A batch yields all rows at once.
      for await (const { rows } of inner.streamQuery<unknown>(batch, 1)) return rows;
      return [];
    });
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (BEGINS.test(query.sql)) return this.#begin(query.sql);
    if (ENDS.test(query.sql)) return this.#end(query);
    if (this.#isInTransaction) return this.#cache.of<R>(query, () => this.#run(query));
    if (!this.#habits.isShared) return this.#run(query);
    await this.#begin('begin');
    try {
      const result = await this.#run<R>(query);
      await this.executeQuery(CompiledQuery.raw('commit'));
      return result;
    } catch (error) {
      await this.executeQuery(CompiledQuery.raw('rollback')).catch(() => {});
      throw error;
    }
  }

  async #begin<R>(begin: string): Promise<QueryResult<R>> {
    this.#cache.forget();
    this.#isInTransaction = true;
    const statements = [begin, ...this.#habits.atBegin];
    if (this.#habits.isPostgres) for (const sql of statements) await this.#pending.add({ sql, values: [] });
    else await this.inner.executeQuery(CompiledQuery.raw(statements.join('; ')));
    return { rows: [] };
  }

  async #end<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (query.sql === 'rollback') await this.#pending.forget();
    const result = await this.#ask<R>(query);
    this.#isInTransaction = false;
    return result;
  }

  async #run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { bulk, insert } = manyRowsOf(query);
    if (bulk) return this.#insertBulk(bulk);
    if (insert) return this.#insertWritten(insert);
    if (!this.#canPostpone || !isWriteOnly(query)) return this.#ask(query);
    await this.#pending.add({ sql: query.sql, values: query.parameters.map(writtenValue) });
    return { rows: [] };
  }

  get #canPostpone(): boolean {
    return this.#isInTransaction && this.#habits.isPostgres;
  }

  /** Sends a statement after all pending writes, and waits for its answer. */
  async #ask<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query;
    try {
      // A batch is of single statements: a text of several is sent by itself, once the pending writes are done.
      if (this.#canPostpone && !sql.includes(';')) {
        return { rows: (await this.#pending.ask({ sql, values: parameters })) as R[] };
      }
      await this.#pending.done();
    } catch (failure) {
      // This may be the failure of an earlier write, which nobody has heard of yet. The transaction can go on only from
      // a savepoint, so the return to one is still done.
      if (ROLLS_BACK_TO.test(sql)) await this.inner.executeQuery(query);
      throw failure;
    }
    return this.inner.executeQuery<R>(query);
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize?: number): AsyncIterableIterator<QueryResult<R>> {
    await this.#pending.done();
    const { read } = manyRowsOf(query);
    yield* this.inner.streamQuery<R>(read ? CompiledQuery.raw(selectTables(read)) : query, chunkSize);
  }

  /** Inserts rows that another database wrote as lines of JSON. */
  async #insertWritten<R>({ rows, ...table }: WrittenTable & { rows: Buffer }): Promise<QueryResult<R>> {
    const names = table.columns.map(({ name }) => name);
    const columns = table.columns.map(columnFromJson).join(', ');
    const insert = `${insertHead(table.table, names)} select ${columns} from jsonb_array_elements($1::jsonb) as written(value)`;
    const { array, count } = arrayOf(rows);
    await this.#ask(CompiledQuery.raw(insert, [array.toString()]));
    return this.#insertedInto(table.table, count);
  }

  async #insertBulk<R>(bulk: BulkInsert): Promise<QueryResult<R>> {
    if (this.#habits.isPostgres) {
      await this.#pending.add(copyStatement(bulk));
      if (!this.#isInTransaction) await this.#pending.done();
    } else {
      // A stream sends the lines, and has no rows: one reading waits for its end.
      const { sql, lines } = copyStatement(bulk);
      await this.inner.streamQuery(CompiledQuery.raw(sql, [lines]), 1).next();
    }
    return this.#insertedInto(bulk.table, bulk.rows.length);
  }

  #insertedInto<R>(table: string, rows: number): QueryResult<R> {
    this.#inserted.set(table, (this.#inserted.get(table) ?? 0) + rows);
    return { numAffectedRows: BigInt(rows), rows: [] };
  }
}

/** Whether a statement only writes, and returns no rows that somebody needs. */
function isWriteOnly({ query }: CompiledQuery): boolean {
  return (InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query)) && !query.returning;
}

/** For each table its name, and then its rows as lines of JSON: see `readWritten`. */
function selectTables(tables: readonly WrittenTable[]): string {
  return tables.map((table) => `select '${table.table}'; copy (${selectRow(table)}) to stdout;`).join(' ');
}

function selectRow(table: WrittenTable): string {
  const texts = table.columns.map(({ name, type }) =>
    type === 'bytes' ? `encode("${name}", 'hex')` : `"${name}"::text`,
  );
  return selectWritten(table, `array_to_json(array[${texts.join(', ')}])`);
}

function columnFromJson({ type }: WrittenColumn, at: number): string {
  const text = `value ->> ${at}`;
  return { integer: `(${text})::bigint`, text, bytes: `decode(${text}, 'hex')` }[type];
}

/** Without kysely's migration lock, which is for the whole database, and void on some engines: remit takes its own. */
class NoLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** With so many new rows in a table, the planner's statistics are refreshed when the pool closes. */
const MANY_ROWS = 10_000;
/**
 * With so many, they are refreshed already at the next commit: a plan made for an empty table, such as that of each
 * reference to it, reads the whole table for every row.
 */
const SOME_ROWS = 1_000;
/** How long the refresh may wait for a lock, and how long it may take: it only makes the next queries faster. */
const ANALYZE_WAIT = '2s';
const ANALYZE_TIME = '30s';

/**
 * Confirms the ledger's lock at the beginning of each transaction, because a writer that lost it must not write.
 * Refreshes the planner's statistics after many new rows.
 */
class LedgerPostgresDriver extends PostgresDriver {
  readonly #lock: LedgerLock | null;
  readonly #habits: Habits;
  readonly #inserted = new Map<string, number>();
  /** How many tables had {@link SOME_ROWS} new rows when the statistics were last refreshed. */
  #filledTables = 0;

  constructor(config: PostgresDialectConfig, lock: LedgerLock | null, habits: Habits) {
    super(config);
    this.#lock = lock;
    this.#habits = habits;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await untilTaken(() => super.acquireConnection());
    return new PostgresLedgerConnection(connection, this.#habits, this.#inserted);
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
      // If the connection is gone, this fails too, and the first error is the one to report.
      await this.rollbackTransaction(connection).catch(() => {});
      throw error;
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    const filledTables = [...this.#inserted.values()].filter((rows) => rows >= SOME_ROWS).length;
    if (filledTables === this.#filledTables) return;
    this.#filledTables = filledTables;
    await this.#analyze(connection);
  }

  override async destroy(): Promise<void> {
    if ([...this.#inserted.values()].some((rows) => rows >= MANY_ROWS)) {
      const connection = await this.acquireConnection().catch(() => null);
      if (connection) await this.#analyze(connection).finally(() => this.releaseConnection(connection));
    }
    await super.destroy();
  }

  /**
   * Refreshes the statistics, without which a check right after the first sync is planned badly. Of all tables, because
   * statistics of only some make worse plans than none. A user who does not own the tables only gets a warning, and a
   * failure does no harm.
   */
  async #analyze(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('begin'));
      const limits = `select set_config('lock_timeout', '${ANALYZE_WAIT}', true), set_config('statement_timeout', '${ANALYZE_TIME}', true)`;
      await connection.executeQuery(CompiledQuery.raw(limits));
      const tables = 'select quote_ident(tablename) as name from pg_tables where schemaname = current_schema()';
      const { rows } = await connection.executeQuery<{ name: string }>(CompiledQuery.raw(tables));
      await connection.executeQuery(CompiledQuery.raw(`analyze ${rows.map(({ name }) => name).join(', ')}`));
      await connection.executeQuery(CompiledQuery.raw('commit'));
    } catch {
      await this.rollbackTransaction(connection);
    }
  }

  /**
   * Fails only when the connection is gone; the server has rolled back then, and the first error is the one to report.
   */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}

export function ledgerPostgresDialect(config: PostgresDialectConfig, lock: LedgerLock | null, habits: Habits): Dialect {
  return {
    createDriver: () => new LedgerPostgresDriver(config, lock, habits),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createAdapter: () => new NoLockAdapter(),
    createIntrospector: introspectorOf,
  };
}

/**
 * How kysely runs queries on a SQLite file: a ledger, or the nights of a fleet. Unlike kysely's driver for SQLite, this
 * one keeps prepared statements, begins each transaction with the write lock, and has fast ways for queries over many
 * rows (`bulk-queries.ts`).
 */
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type PrimitiveValueListNode,
  type QueryResult,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import type { SqliteDatabase, SqliteStatement } from '../../../base/sqlite.ts';
import {
  arrayOf,
  type BulkInsert,
  insertHead,
  manyRowsOf,
  selectWritten,
  type WrittenColumn,
  type WrittenTable,
} from '../bulk-queries.ts';

/** How many prepared statements are kept. */
const STATEMENTS = 200;

/** How many rows one statement inserts. To run a statement takes about as long as to insert a row. */
const ROWS_TOGETHER = 16;

/** How many characters of written rows (lines of JSON, see bulk-queries.ts) are read at once, and inserted together. */
const WRITTEN_TOGETHER = 64_000;

/** SQL for a column of a written row: a JSON text, in which an integer is its digits and bytes are hex. */
function writeColumn({ name, type }: WrittenColumn): string {
  // hex() makes an empty text of null.
  const bytes = `iif("${name}" is null, null, lower(hex("${name}")))`;
  return `json_quote(${{ integer: `cast("${name}" as text)`, text: `"${name}"`, bytes }[type]})`;
}

/** A query for the rows of a table, each as a written row. */
function selectRow(table: WrittenTable): string {
  return selectWritten(table, `'[' || ${table.columns.map(writeColumn).join(` || ',' || `)} || ']' || char(10)`);
}

/** SQL that takes a column from a written row. */
function readColumn({ type }: WrittenColumn, at: number): string {
  // A path such as `$[2]`, and not the number 2, of which SQLite would make the path anew for each value.
  const value = `value ->> '$[${at}]'`;
  return type === 'bytes' ? `unhex(${value})` : value;
}

/** The one connection to a file. Statements are prepared once: preparing takes longer than most of them do. */
class SqliteLedgerConnection implements DatabaseConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new LRUCache<string, SqliteStatement>({ max: STATEMENTS });

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { bulk, insert } = manyRowsOf(query);
    if (bulk) return this.#insertBulk(bulk);
    if (insert) return this.#insertWritten(insert);
    const statement = this.#prepared(query.sql);
    if (statement.reader) return { rows: rowsOf(statement, query.parameters) };
    const { changes, lastInsertRowid } = statement.run(query.parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const { read } = manyRowsOf(query);
    if (read) {
      for (const rows of this.#readWritten(read)) yield { rows: rows as R[] };
      return;
    }
    // Prepared anew: a statement cannot be run again while its rows are still being read.
    const statement = this.#database.prepare<unknown[], R>(query.sql);
    for (const row of statement.iterate(query.parameters)) yield { rows: [row] };
  }

  *#readWritten(tables: readonly WrittenTable[]): Generator<(string | Buffer)[]> {
    for (const table of tables) {
      yield [table.table];
      let [rows, length]: [string[], number] = [[], 0];
      for (const row of this.#database.prepare<unknown[], string>(selectRow(table)).pluck().iterate()) {
        rows.push(row);
        length += row.length;
        if (length < WRITTEN_TOGETHER) continue;
        yield [Buffer.from(rows.join(''))];
        [rows, length] = [[], 0];
      }
      if (rows.length > 0) yield [Buffer.from(rows.join(''))];
    }
  }

  #insertWritten<R>({ rows, ...table }: WrittenTable & { rows: Buffer }): QueryResult<R> {
    // `or fail`: a plain insert keeps each page that it changes, to take its first rows back where a later one fails.
    // Nobody needs them back here: a copy that fails is thrown away.
    const names = table.columns.map(({ name }) => name);
    const head = insertHead(table.table, names).replace('insert', 'insert or fail');
    const columns = table.columns.map(readColumn).join(', ');
    const { changes } = this.#prepared(`${head} select ${columns} from ${this.#rowsFunction}(cast(? as text))`).run([
      arrayOf(rows).array,
    ]);
    return { numAffectedRows: BigInt(changes), rows: [] };
  }

  /**
   * The function that gives the rows of a JSON array. With `jsonb_each`, which SQLite has from 3.51 on, a row stays
   * parsed; `json_each` makes it text again, and each of its columns parses that.
   */
  get #rowsFunction(): 'jsonb_each' | 'json_each' {
    try {
      this.#prepared('select 1 from jsonb_each(null)');
      return 'jsonb_each';
    } catch {
      return 'json_each';
    }
  }

  #prepared(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #insertBulk<R>(bulk: BulkInsert): QueryResult<R> {
    const { rows } = bulk;
    const together = rows.length - (rows.length % ROWS_TOGETHER);
    this.#insertRows(bulk, 0, together, ROWS_TOGETHER);
    this.#insertRows(bulk, together, rows.length, 1);
    return { numAffectedRows: BigInt(rows.length), rows: [] };
  }

  /** Inserts the rows from `from` to before `end`. @param count how many of them each statement inserts */
  #insertRows(bulk: BulkInsert, from: number, end: number, count: number): void {
    if (from === end) return;
    const { columns, rows } = bulk;
    const shared = Object.values(bulk.shared);
    const marks = `(${new Array(shared.length + columns.length).fill('?').join(', ')})`;
    const head = insertHead(bulk.table, [...Object.keys(bulk.shared), ...columns]);
    const statement = this.#prepared(`${head}values ${new Array(count).fill(marks).join(', ')}`);
    const values: unknown[] = [];
    for (let first = from; first < end; first += count) {
      let at = 0;
      for (let index = first; index < first + count; index += 1) {
        const row = rows[index]!;
        for (const value of shared) values[at++] = value;
        for (const column of columns) values[at++] = row[column] ?? null;
      }
      statement.run(values);
    }
  }
}

/**
 * A statement's rows. The binding would make each of their properties by itself, which on Node 20 takes longer than
 * most statements.
 */
function rowsOf<R>(statement: SqliteStatement, parameters: readonly unknown[]): R[] {
  const arrays = statement.raw().all([...parameters]) as unknown[][];
  if (arrays.length === 0) return [];
  const names = statement.columns().map(({ name }) => name);
  return arrays.map((values) => {
    const row: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at += 1) row[names[at]!] = values[at];
    return row as R;
  });
}

/**
 * kysely takes SQLite's DDL for non-transactional by default, and a failed migration would leave half of its tables.
 */
class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
  /** The side lock of lock.ts is held around migrations instead. */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/**
 * Every transaction on a ledger writes: taking the write lock at once is what makes waiting for another writer work.
 */
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

  /**
   * SQLite rolls back by itself when the disk fails; the error that nothing is left to roll back must not hide that
   * failure.
   */
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

export function ledgerSqliteDialect(database: SqliteDatabase): Dialect {
  return {
    createDriver: () => new ImmediateDriver(database),
    createQueryCompiler: () => new ListCompiler(),
    createAdapter: () => new TransactionalDdlAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

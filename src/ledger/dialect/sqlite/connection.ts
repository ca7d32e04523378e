import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { SqliteDatabase, SqliteStatement } from '../../../base/sqlite.ts';
import { type BulkInsert, bulkOf, insertHead } from '../bulk-insert.ts';

const STATEMENTS = 200;

/** The one connection to a file. Statements are prepared once: preparing takes longer than most of them do. */
export class SqliteLedgerConnection implements DatabaseConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new LRUCache<string, SqliteStatement>({ max: STATEMENTS });

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const bulk = bulkOf(query);
    if (bulk) return this.#insert(bulk);
    const statement = this.#prepared(query.sql);
    if (statement.reader) return { rows: rowsOf(statement, query.parameters) };
    const { changes, lastInsertRowid } = statement.run(query.parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // Prepared anew: a statement cannot be run again while its rows are still being read.
    const statement = this.#database.prepare<unknown[], R>(query.sql);
    for (const row of statement.iterate(query.parameters)) yield { rows: [row] };
  }

  #prepared(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #insert<R>(bulk: BulkInsert): QueryResult<R> {
    const { columns, rows } = bulk;
    const values = Object.values(bulk.shared);
    const first = values.length;
    const marks = new Array(first + columns.length).fill('?');
    const statement = this.#prepared(`${insertHead(bulk)}(${marks.join(', ')})`);
    for (const row of rows) {
      for (let at = 0; at < columns.length; at += 1) values[first + at] = row[columns[at]!] ?? null;
      statement.run(values);
    }
    return { numAffectedRows: BigInt(rows.length), rows: [] };
  }
}

/** A statement's rows. The binding would make each of their properties by itself, which on Node 20 takes longer than most statements. */
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

import type Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import { wantsArrays } from '../arrays.ts';
import { type BulkInsert, bulkOf, insertHead } from '../bulk-insert.ts';

const STATEMENTS = 200;

/** The one connection to a file. Statements are prepared once: preparing takes longer than most of them do. */
export class SqliteLedgerConnection implements DatabaseConnection {
  readonly #database: Database.Database;
  readonly #statements = new LRUCache<string, Database.Statement<unknown[], unknown>>({ max: STATEMENTS });

  constructor(database: Database.Database) {
    this.#database = database;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const bulk = bulkOf(query);
    if (bulk) return this.#insert(bulk);
    if (wantsArrays(query)) return { rows: JSON.parse(this.#arrays(query.sql).get(query.parameters)!) as R[] };
    const statement = this.#prepared(query.sql);
    if (statement.reader) return { rows: statement.all(query.parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(query.parameters);
    return { numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid), rows: [] };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // One of its own: a statement that is being stepped through can do nothing else.
    const statement = this.#database.prepare<unknown[], R>(query.sql);
    for (const row of statement.iterate(query.parameters)) yield { rows: [row] };
  }

  /**
   * A statement whose one value is all rows as JSON: the binding takes longer to hand over the values one by one than both sides take to
   * write and read them as a text. SQLite keeps the order of what such an aggregate is made of.
   */
  #arrays(sql: string): Database.Statement<unknown[], string> {
    const key = `arrays: ${sql}`;
    let statement = this.#statements.get(key) as Database.Statement<unknown[], string> | undefined;
    if (!statement) {
      const columns = this.#database.prepare(sql).columns();
      const row = columns.map(({ name }) => `"${name}"`).join(', ');
      statement = this.#database
        .prepare<unknown[], string>(`select json_group_array(json_array(${row})) from (${sql})`)
        .pluck(true);
      this.#statements.set(key, statement);
    }
    return statement;
  }

  #prepared(sql: string): Database.Statement<unknown[], unknown> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #insert<R>(bulk: BulkInsert): QueryResult<R> {
    const { columns, rows } = bulk;
    const statement = this.#prepared(`${insertHead(bulk)}(${columns.map(() => '?').join(', ')})`);
    const values: unknown[] = new Array(columns.length);
    for (const row of rows) {
      for (let at = 0; at < columns.length; at += 1) values[at] = row[columns[at]!] ?? null;
      statement.run(values);
    }
    return { numAffectedRows: BigInt(rows.length), rows: [] };
  }
}

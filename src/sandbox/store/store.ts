import type { SqliteDatabase, SqliteStatement } from '../../base/sqlite.ts';

/**
 * The delivery company's open file: statements, prepared once and kept, and transactions. Made by `openStore`. The
 * parameters of a statement are given one by one, or as one array.
 */
export class Store {
  /** The handle, for what this class does not offer. */
  readonly db: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(db: SqliteDatabase) {
    this.db = db;
  }

  /** Prepares a statement once. Its text is a constant of the code, so that the number of statements is bounded. */
  prepare(sql: string): SqliteStatement {
    const statement = this.#statements.get(sql) ?? this.db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  get<Row>(sql: string, ...params: unknown[]): Row | undefined {
    return this.prepare(sql).get(...params) as Row | undefined;
  }

  /** The number of rows. @param from what follows `from` in SQL, such as `customer where merchant_id = ?` */
  count(from: string, ...params: unknown[]): number {
    return this.get<{ n: number }>(`select count(*) as n from ${from}`, ...params)?.n ?? 0;
  }

  all<Row>(sql: string, ...params: unknown[]): Row[] {
    return this.prepare(sql).all(...params) as Row[];
  }

  /** Runs a writing statement, within {@link write}. @returns the row id that an insert made */
  run(sql: string, ...params: unknown[]): number {
    return Number(this.prepare(sql).run(...params).lastInsertRowid);
  }

  /** Inserts a row by its columns, within {@link write}. @returns its row id */
  insert(table: string, row: Readonly<Record<string, unknown>>): number {
    const columns = Object.keys(row);
    const marks = columns.map(() => '?');
    return this.run(`insert into ${table} (${columns.join(', ')}) values (${marks.join(', ')})`, Object.values(row));
  }

  setting(name: string): string | undefined {
    return this.get<{ value: string }>('select value from setting where name = ?', name)?.value;
  }

  /** Call it within {@link write}. */
  setSetting(name: string, value: string): void {
    this.run('insert or replace into setting (name, value) values (?, ?)', name, value);
  }

  /**
   * Runs `work`, which must not be async, in one transaction: all of it is on disk when this returns, none of it when
   * it throws. The write lock is held from the start (BEGIN IMMEDIATE), so what `work` reads cannot change before it
   * writes. Within another `write` or `read` it joins that transaction.
   */
  write<T>(work: () => T): T {
    return this.db.inTransaction ? work() : this.db.transaction(work).immediate();
  }

  /** Runs `work` on one snapshot of the data. */
  read<T>(work: () => T): T {
    return this.db.inTransaction ? work() : this.db.transaction(work).deferred();
  }

  close(): void {
    this.db.close();
  }
}

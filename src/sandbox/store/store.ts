import type Database from 'better-sqlite3';

/** An open service file: prepared statements, made once and kept, and transactions. Made by `openStore`. */
export class Store {
  /** The handle itself, for what this class does not offer (iteration, backup). */
  readonly db: Database.Database;
  readonly #statements = new Map<string, Database.Statement>();
  readonly #lists = new Map<string, Database.Statement>();
  readonly #beforeCommit: (store: Store) => void;
  /** Made once: to make a transaction takes longer than to begin and end it. */
  readonly #transaction: Database.Transaction<(work: () => unknown) => unknown>;
  #othersVersion: Database.Statement | undefined;
  #writes = 0;

  /** @param beforeCommit what every {@link write} ends with, in its transaction */
  constructor(db: Database.Database, beforeCommit: (store: Store) => void) {
    this.db = db;
    this.#beforeCommit = beforeCommit;
    this.#transaction = db.transaction((work) => work());
  }

  /** The prepared form of a statement; texts are constants of the code, so that their number is bounded. */
  prepare(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** The first row, or undefined. */
  get<Row>(sql: string, ...params: unknown[]): Row | undefined {
    return this.prepare(sql).get(...params) as Row | undefined;
  }

  all<Row>(sql: string, ...params: unknown[]): Row[] {
    return this.prepare(sql).all(...params) as Row[];
  }

  /** The same with each row as a list of its columns: making objects of thousands of rows takes longer than reading them. */
  lists<Row extends readonly unknown[]>(sql: string, ...params: unknown[]): Row[] {
    let statement = this.#lists.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql).raw();
      this.#lists.set(sql, statement);
    }
    return statement.all(...params) as Row[];
  }

  /**
   * Rows of several keys in one statement, by key and in the statement's order.
   *
   * @param sql takes the keys as `(select value from json_each(?))`, and gives each row its key as `key`
   */
  byKey<Key extends string | number, Row>(sql: string, keys: readonly Key[]): Map<Key, Row[]> {
    const found = new Map<Key, Row[]>(keys.map((key) => [key, []]));
    for (const { key, ...row } of this.all<{ key: Key }>(sql, JSON.stringify(keys))) found.get(key)!.push(row as Row);
    return found;
  }

  /** Runs a writing statement; answers the row id that an insert made. Only within {@link write}. */
  run(sql: string, ...params: unknown[]): number {
    return Number(this.prepare(sql).run(...params).lastInsertRowid);
  }

  /**
   * Runs `work` in one transaction that holds the write lock from its start (BEGIN IMMEDIATE), so that what it reads cannot
   * change before it writes. When it returns, all of it is on disk; when it throws, nothing is. Must not be async. Within
   * another `write` it joins that transaction.
   */
  write<T>(work: () => T): T {
    if (this.db.inTransaction) return work();
    const whole = () => {
      const result = work();
      this.#beforeCommit(this);
      return result;
    };
    const result = this.#transaction.immediate(whole) as T;
    this.#writes += 1;
    return result;
  }

  /** Runs `work` on one snapshot of the data. */
  read<T>(work: () => T): T {
    return this.db.inTransaction ? work() : (this.#transaction.deferred(work) as T);
  }

  /** How often this handle has written. */
  get writes(): number {
    return this.#writes;
  }

  /** A number that changes when another handle, of this process or any other, has written. Asking takes a few system calls. */
  othersVersion(): number {
    this.#othersVersion ??= this.db.prepare('pragma data_version').pluck();
    return this.#othersVersion.get() as number;
  }

  close(): void {
    this.db.close();
  }
}

/** An SQLite database: what remit uses of better-sqlite3. node-sqlite.ts gives Node's SQLite the same methods. */
export interface SqliteDatabase {
  /** The file, as it was named; `:memory:` without one. */
  readonly name: string;
  readonly inTransaction: boolean;
  prepare<Parameters extends readonly unknown[] = unknown[], Row = unknown>(
    sql: string,
  ): SqliteStatement<Parameters, Row>;
  /** Runs one statement or several, without parameters and without rows. */
  exec(sql: string): unknown;
  /** @returns the rows; with `simple` the first value of the first */
  pragma(text: string, options?: { readonly simple?: boolean }): unknown;
  /** Wraps `work`, which must not be async, in a transaction that is rolled back when it throws. */
  transaction<Args extends unknown[], T>(work: (...args: Args) => T): Transaction<Args, T>;
  /** Writes a complete copy, also while others write to the database. */
  backup(file: string): Promise<unknown>;
  close(): unknown;
}

/** Runs in a transaction, and returns what the work returned. */
export interface Transaction<Args extends unknown[], T> {
  (...args: Args): T;
  /** Holds the write lock from the start. */
  immediate(...args: Args): T;
  deferred(...args: Args): T;
}

/** A prepared statement. Its parameters are given one by one or as one array. */
export interface SqliteStatement<Parameters extends readonly unknown[] = unknown[], Row = unknown> {
  /** Whether the statement gives rows: read them with `get`, `all` or `iterate`; use `run` for other statements. */
  readonly reader: boolean;
  run(...parameters: Given<Parameters>): RowsChanged;
  get(...parameters: Given<Parameters>): Row | undefined;
  all(...parameters: Given<Parameters>): Row[];
  iterate(...parameters: Given<Parameters>): IterableIterator<Row>;
  /** From now on a row is its first value. */
  pluck(): SqliteStatement<Parameters, Row>;
  /** From now on a row is the array of its values. */
  raw(): SqliteStatement<Parameters, Row>;
  /** The columns of its rows as they are now: after a change of the schema a statement may have others. */
  columns(): readonly { readonly name: string }[];
  /** From now on integers are read as bigints; as numbers, those above 2^53 are not exact or an error. */
  safeIntegers(): SqliteStatement<Parameters, Row>;
}

export type Given<Parameters extends readonly unknown[]> = Parameters | [Parameters];

export interface RowsChanged {
  readonly changes: number | bigint;
  readonly lastInsertRowid: number | bigint;
}

export interface SqliteOptions {
  readonly readonly?: boolean;
  readonly fileMustExist?: boolean;
  /** How long to wait for another writer, in milliseconds; 5,000 when absent. */
  readonly timeout?: number;
}

export interface Binding {
  /** As `remit doctor` names it, such as `better-sqlite3`. */
  readonly name: string;
  /** @throws an error with SQLite's own code, such as `SQLITE_CANTOPEN` */
  open(file: string, options: SqliteOptions): SqliteDatabase;
}

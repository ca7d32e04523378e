import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  Binding,
  Given,
  RowsChanged,
  SqliteDatabase,
  SqliteOptions,
  SqliteStatement,
  Transaction,
} from './database.ts';

/** What remit uses of `node:sqlite` as it is from Node 22.16 on; the types of Node 20 do not have it. */
interface NodeSqlite {
  readonly DatabaseSync: new (file: string | URL, options: { readOnly: boolean; timeout: number }) => DatabaseSync;
  backup(database: DatabaseSync, file: string): Promise<number>;
}

interface DatabaseSync {
  readonly isOpen: boolean;
  readonly isTransaction: boolean;
  prepare(sql: string): StatementSync;
  exec(sql: string): void;
  close(): void;
}

interface StatementSync {
  columns(): { readonly name: string }[];
  setReturnArrays(enabled: true): void;
  setReadBigInts(enabled: true): void;
  run(...parameters: readonly unknown[]): RowsChanged;
  get(...parameters: readonly unknown[]): unknown[] | undefined;
  all(...parameters: readonly unknown[]): unknown[][];
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown[]>;
}

/**
 * Loads Node's own SQLite. In Node 22 it reads a text only up to its first NUL; no text in a ledger has one
 * (derive/documents.ts).
 *
 * @returns undefined if Node has none, or (before 22.16) one that cannot copy a database while it is in use
 */
export function loadNodeSqlite(): Binding | undefined {
  const sqlite = withoutSqliteWarning(() => process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined);
  if (sqlite?.backup === undefined) return undefined;
  return { name: 'node:sqlite', open: (file, options) => new NodeDatabase(sqlite, file, options) };
}

/**
 * Before 24.15 Node prints a warning when node:sqlite is loaded, and nobody wants it in the mail of every night. A
 * program cannot set the flag of Node that turns warnings off, so this one warning is dropped while that one module is
 * loaded.
 */
function withoutSqliteWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: [name?: never]) => {
    const isOfSqlite = rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ');
    if (!isOfSqlite) emitWarning(warning, ...rest);
  }) as typeof emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

const DEFAULT_TIMEOUT_MS = 5_000;

class NodeDatabase implements SqliteDatabase {
  readonly name: string;
  readonly #sqlite: NodeSqlite;
  readonly #database: DatabaseSync;

  constructor(sqlite: NodeSqlite, file: string, options: SqliteOptions) {
    const { readonly: readOnly = false, fileMustExist = false, timeout = DEFAULT_TIMEOUT_MS } = options;
    const location = file === ':memory:' || file === '' ? file : path.resolve(file);
    this.name = file;
    this.#sqlite = sqlite;
    // Only a URL can say that no file is to be made.
    const opened = fileMustExist && !readOnly ? new URL('?mode=rw', pathToFileURL(location)) : location;
    this.#database = withSqliteCodes(() => new sqlite.DatabaseSync(opened, { readOnly, timeout }));
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  prepare<Parameters extends readonly unknown[], Row>(sql: string): SqliteStatement<Parameters, Row> {
    return new NodeStatement<Parameters, Row>(withSqliteCodes(() => this.#database.prepare(sql)));
  }

  exec(sql: string): void {
    withSqliteCodes(() => this.#database.exec(sql));
  }

  pragma(text: string, { simple = false }: { readonly simple?: boolean } = {}): unknown {
    const statement = this.prepare(`pragma ${text}`);
    return simple ? statement.pluck().get() : statement.all();
  }

  transaction<Args extends unknown[], T>(work: (...args: Args) => T): Transaction<Args, T> {
    const deferred = (...args: Args) => this.#transact('begin deferred', () => work(...args));
    const immediate = (...args: Args) => this.#transact('begin immediate', () => work(...args));
    return Object.assign((...args: Args) => deferred(...args), { deferred, immediate });
  }

  #transact<T>(begin: string, work: () => T): T {
    this.exec(begin);
    try {
      const result = work();
      this.exec('commit');
      return result;
    } catch (error) {
      // SQLite rolls back by itself when the disk fails.
      if (this.inTransaction) this.exec('rollback');
      throw error;
    }
  }

  async backup(file: string): Promise<void> {
    try {
      await this.#sqlite.backup(this.#database, file);
    } catch (error) {
      throw withSqliteCode(error);
    }
  }

  close(): void {
    if (this.#database.isOpen) withSqliteCodes(() => this.#database.close());
  }
}

/**
 * A statement with the methods of better-sqlite3: `pluck` gives the first column alone, `raw` each row as a list, and
 * `reader` says whether it gives rows at all.
 */
class NodeStatement<Parameters extends readonly unknown[], Row> implements SqliteStatement<Parameters, Row> {
  readonly reader: boolean;
  readonly #statement: StatementSync;
  #isPlucked = false;
  #isRaw = false;

  constructor(statement: StatementSync) {
    this.#statement = statement;
    this.reader = statement.columns().length > 0;
    // Node makes objects without a prototype, which take four times as long as what #rowOf does.
    statement.setReturnArrays(true);
  }

  pluck(): this {
    this.#isPlucked = true;
    return this;
  }

  raw(): this {
    this.#isRaw = true;
    return this;
  }

  columns(): readonly { readonly name: string }[] {
    return this.#statement.columns();
  }

  safeIntegers(): this {
    this.#statement.setReadBigInts(true);
    return this;
  }

  run(...parameters: Given<Parameters>): RowsChanged {
    return withSqliteCodes(() => this.#statement.run(...parameterList(parameters)));
  }

  get(...parameters: Given<Parameters>): Row | undefined {
    const values = withSqliteCodes(() => this.#statement.get(...parameterList(parameters)));
    return values && this.#rowOf(values, this.#names());
  }

  all(...parameters: Given<Parameters>): Row[] {
    const rows = withSqliteCodes(() => this.#statement.all(...parameterList(parameters)));
    const names = this.#names();
    return rows.map((values) => this.#rowOf(values, names));
  }

  *iterate(...parameters: Given<Parameters>): IterableIterator<Row> {
    const rows = withSqliteCodes(() => this.#statement.iterate(...parameterList(parameters)));
    const names = this.#names();
    try {
      for (;;) {
        const { done, value } = withSqliteCodes(() => rows.next());
        if (done) return;
        yield this.#rowOf(value, names);
      }
    } finally {
      rows.return?.();
    }
  }

  /** Asked each time: after a change of the schema a statement has other columns. */
  #names(): string[] {
    return this.#isPlucked || this.#isRaw ? [] : this.#statement.columns().map(({ name }) => name);
  }

  #rowOf(values: readonly unknown[], names: readonly string[]): Row {
    if (this.#isPlucked) return asBuffer(values[0]) as Row;
    if (this.#isRaw) return values.map(asBuffer) as Row;
    if (values.length !== names.length) throw new Error('a table got other columns while a statement read it');
    const row: Record<string, unknown> = {};
    for (let at = 0; at < names.length; at += 1) row[names[at]!] = asBuffer(values[at]);
    return row as Row;
  }
}

/** Bytes as a Buffer over the same memory; any other value as it is. */
function asBuffer(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;
}

/** The parameters of a statement, which may be given one by one or as one list. */
function parameterList(parameters: readonly unknown[]): readonly unknown[] {
  const [first] = parameters;
  return parameters.length === 1 && Array.isArray(first) ? first : parameters;
}

function withSqliteCodes<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw withSqliteCode(error);
  }
}

/** Gives an SQLite error a code such as `SQLITE_BUSY`: Node has one code for all, and SQLite's number beside it. */
function withSqliteCode(error: unknown): unknown {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (code !== 'ERR_SQLITE_ERROR' || typeof errcode !== 'number') return error;
  // The higher bytes only give more detail.
  return Object.assign(error as Error, { code: `SQLITE_${CODES[errcode & 0xff] ?? 'ERROR'}` });
}

/** https://www.sqlite.org/rescode.html, by number. */
const CODES = [
  ...['OK', 'ERROR', 'INTERNAL', 'PERM', 'ABORT', 'BUSY', 'LOCKED', 'NOMEM', 'READONLY', 'INTERRUPT', 'IOERR'],
  ...['CORRUPT', 'NOTFOUND', 'FULL', 'CANTOPEN', 'PROTOCOL', 'EMPTY', 'SCHEMA', 'TOOBIG', 'CONSTRAINT', 'MISMATCH'],
  ...['MISUSE', 'NOLFS', 'AUTH', 'FORMAT', 'RANGE', 'NOTADB'],
];

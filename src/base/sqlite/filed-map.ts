import { openDatabase } from '../sqlite.ts';
import type { SqliteDatabase, SqliteStatement } from './database.ts';

/** More entries than this are kept in a file. Up to so many, memory is faster. */
const MOST_IN_MEMORY = 50_000;

/** How much of the file SQLite keeps in memory, in kB. */
const CACHE = 2_000;

/**
 * A map from text whose memory stays small however many entries it has: many entries move into a temporary SQLite file,
 * which no other program can open and which disappears with the process, however that ends. Texts that are not valid
 * Unicode may be confused there.
 */
export class FiledMap<V extends string | number> {
  readonly #most: number;
  #memory = new Map<string, V>();
  #file: EntryFile<V> | null = null;

  constructor(most = MOST_IN_MEMORY) {
    this.#most = most;
  }

  get size(): number {
    return this.#file?.size ?? this.#memory.size;
  }

  get(key: string): V | undefined {
    return this.#file ? this.#file.get.get(key) : this.#memory.get(key);
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: V): void {
    if (this.#file) {
      this.#file.put(key, value);
      return;
    }
    this.#memory.set(key, value);
    if (this.#memory.size <= this.#most) return;
    this.#file = new EntryFile();
    for (const [heldKey, heldValue] of this.#memory) this.#file.put(heldKey, heldValue);
    this.#memory.clear();
  }

  clear(): void {
    this.#file?.close();
    this.#file = null;
    this.#memory.clear();
  }

  /** The entries, in no order that means anything. None may be set while they are read. */
  *entries(): Generator<[string, V]> {
    if (this.#file) yield* this.#file.entries();
    else yield* this.#memory;
  }
}

const ENTRIES_PER_PAGE = 5_000;

class EntryFile<V> {
  size = 0;
  readonly get: SqliteStatement<[string], V>;
  readonly #database: SqliteDatabase;
  readonly #insert: SqliteStatement<[string, V]>;
  readonly #update: SqliteStatement<[V, string]>;
  readonly #after: SqliteStatement<[string, number], { key: string; value: V }>;

  constructor() {
    const database = openDatabase('');
    // One transaction that never ends: what is written is read by nobody else, and worth nothing after a crash.
    database.exec(
      `pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -${CACHE};
       create table entry (key text primary key, value) without rowid; begin`,
    );
    this.get = database.prepare<[string], V>('select value from entry where key = ?').pluck();
    this.#insert = database.prepare('insert into entry values (?, ?) on conflict do nothing');
    this.#update = database.prepare('update entry set value = ? where key = ?');
    this.#after = database.prepare('select key, value from entry where key > ? order by key limit ?');
    this.#database = database;
  }

  put(key: string, value: V): void {
    const isNew = Number(this.#insert.run(key, value).changes) === 1;
    if (isNew) this.size += 1;
    else this.#update.run(value, key);
  }

  /** A page at a time: SQLite takes no other statement while one gives its rows. */
  *entries(): Generator<[string, V]> {
    // No key is before the empty one, so `key > ?` never gives it.
    const valueOfEmptyKey = this.get.get('');
    if (valueOfEmptyKey !== undefined) yield ['', valueOfEmptyKey];
    for (let after = ''; ; ) {
      const page = this.#after.all(after, ENTRIES_PER_PAGE);
      for (const { key, value } of page) yield [key, value];
      if (page.length < ENTRIES_PER_PAGE) return;
      after = page.at(-1)!.key;
    }
  }

  close(): void {
    this.#database.close();
  }
}

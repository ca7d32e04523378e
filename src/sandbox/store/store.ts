import type { SqliteDatabase, SqliteStatement } from '../../base/sqlite.ts';

/** An open service file: prepared statements, made once and kept, and transactions. Made by `openStore`. */
export class Store {
  /** The handle, for what this class does not offer. */
  readonly db: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(db: SqliteDatabase) {
    this.db = db;
  }

  /** Prepares a statement once. Its text is a constant of the code, so that the number of statements is bounded. */
  prepare(sql: string): SqliteStatement {
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

  /** Runs a writing statement, within {@link write}. @returns the row id that an insert made */
  run(sql: string, ...params: unknown[]): number {
    return Number(this.prepare(sql).run(...params).lastInsertRowid);
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

/**
 * A moment as the service prints and stores it: ISO 8601 in UTC with six decimals and an offset,
 * `2026-10-03T09:15:00.000000+00:00` (spec, 'Order'). Texts of this form sort by time.
 *
 * @param micros microseconds within the millisecond, 0 to 999
 */
export function timestamp(moment: Date, micros = 0): string {
  return `${moment.toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}+00:00`;
}

/** The moment of the latest event, as `timestamp()` writes it; undefined in a service without orders or invoices. */
export function latestEvent(store: Store): string | undefined {
  const row = store.get<{ at: string | null }>(
    `select max(at) as at from (
       select max(stamped_at) as at from statestamp
       union all select max(issued_at) from invoice
       union all select max(paid_at) from invoice)`,
  );
  return row?.at ?? undefined;
}

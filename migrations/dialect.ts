import type { Kysely, RawBuilder } from 'kysely';

/** Everything that a migration needs to know about its database; each ledger dialect supplies one. */
export interface MigrationDialect {
  /** A text column type that compares and sorts by code point, whatever the database's locale. */
  readonly text: RawBuilder<unknown>;
  /** A 64-bit integer column type. The writer gives the keys: no column fills itself. */
  readonly integer: RawBuilder<unknown>;
  /** A binary column type. */
  readonly blob: RawBuilder<unknown>;
  /** The text after a table's columns, which makes SQLite check types. */
  readonly tableEnd: RawBuilder<unknown>;
  /** `tableEnd` for a table whose rows are stored in the order of its compound primary key. */
  readonly clusteredTableEnd: RawBuilder<unknown>;
  /** Statements that make the database refuse to update, delete or truncate rows of a table. */
  appendOnly(table: string): RawBuilder<unknown>[];
  /** Runs `alter`, which adds columns to tables. Afterwards the views are as before. */
  altering(db: Kysely<unknown>, alter: () => Promise<void>): Promise<void>;
  /** An expression that turns a column of money units (1/10,000) into a plain decimal, for views that people read. */
  decimal(column: string): RawBuilder<unknown>;
  /** An expression that turns an amount's decimal text into money units; null if it may not fit into 64 bits. */
  units(text: string): RawBuilder<unknown>;
  /** A sum of counts, or of money that is known to fit, as a 64-bit integer. */
  sum(column: string): RawBuilder<unknown>;
  /** A sum of money units as a 64-bit integer. @param fault an SQL text: the error if the sum does not fit */
  moneySum(column: string, fault: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Whole days between the dates that two texts begin with; null if one does not begin with a date. */
  days(from: string, to: string): RawBuilder<unknown>;
  /** The last day of a month: `2026-10` → `2026-10-31`. */
  lastDay(month: string): RawBuilder<unknown>;
  /** Bytes as lower-case hex digits. */
  hex(column: string): RawBuilder<unknown>;
  /** A whole number in a JSON text, by its path; null if there is none. */
  jsonCount(column: string, path: readonly string[]): RawBuilder<unknown>;
}

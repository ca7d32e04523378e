import type { Kysely, RawBuilder } from 'kysely';

/** What a migration needs to know of the database it runs on; each ledger dialect supplies one. */
export interface MigrationDialect {
  /** A text column type that compares and sorts by code point, whatever the database's locale. */
  readonly text: RawBuilder<unknown>;
  /** A 64-bit integer column type. Keys are given by the writer: no column fills itself. */
  readonly integer: RawBuilder<unknown>;
  /** A binary column type. */
  readonly blob: RawBuilder<unknown>;
  /** What stands after a table's columns: strict typing. */
  readonly tableEnd: RawBuilder<unknown>;
  /** The same for a table whose rows are stored in the order of its compound primary key. */
  readonly clusteredTableEnd: RawBuilder<unknown>;
  /** Statements that make the database refuse to update, delete or truncate rows of a table. */
  appendOnly(table: string): RawBuilder<unknown>[];
  /** Runs `alter`, which adds columns to tables. Views are afterwards as they were. */
  altering(db: Kysely<unknown>, alter: () => Promise<void>): Promise<void>;
  /** An expression that turns a column of money units (1/10,000) into a plain decimal, for views that people read. */
  decimal(column: string): RawBuilder<unknown>;
  /** The same amount as a whole number of units, from its decimal text; null for text that is longer than a 64-bit integer is. */
  units(text: string): RawBuilder<unknown>;
  /** A sum of counts, or of money that is known to fit, as a 64-bit integer. */
  sum(column: string): RawBuilder<unknown>;
  /** A sum of money units as a 64-bit integer. @param fault what the statement fails with where the sum is beyond it, as an SQL text */
  moneySum(column: string, fault: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Whole days between the dates that two texts begin with; null where one begins with none. */
  days(from: string, to: string): RawBuilder<unknown>;
  /** The last day of a month: `2026-10` → `2026-10-31`. */
  lastDay(month: string): RawBuilder<unknown>;
  /** Bytes as lower-case hex digits. */
  hex(column: string): RawBuilder<unknown>;
  /** A whole number in a JSON text, by its path; null where there is none. */
  jsonCount(column: string, path: readonly string[]): RawBuilder<unknown>;
}

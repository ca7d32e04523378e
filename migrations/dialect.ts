import type { RawBuilder } from 'kysely';

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
  /** An expression that turns a column of money units (1/10,000) into a plain decimal, for views that people read. */
  decimal(column: string): RawBuilder<unknown>;
}

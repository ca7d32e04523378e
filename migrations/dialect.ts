import type { RawBuilder } from 'kysely';

/** What a migration needs to know of the database it runs on; each ledger dialect supplies one. */
export interface MigrationDialect {
  /** A 64-bit integer column type. */
  readonly integer: RawBuilder<unknown>;
  /** A binary column type. */
  readonly blob: RawBuilder<unknown>;
  /** What stands after a table's columns: strict typing. */
  readonly tableEnd: RawBuilder<unknown>;
  /** The same for a table whose rows are stored in the order of its compound primary key. */
  readonly clusteredTableEnd: RawBuilder<unknown>;
  /** Statements that make the database refuse to update or delete rows of a table. */
  appendOnly(table: string): RawBuilder<unknown>[];
  /** An expression that turns a column of money units (1/10,000) into plain decimal text, for views that people read. */
  decimalText(column: string): RawBuilder<unknown>;
}

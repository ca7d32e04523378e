import { CompiledQuery } from 'kysely';

export interface BulkInsert {
  readonly table: string;
  /** Columns that have the same value in each row. */
  readonly shared: Readonly<Record<string, unknown>>;
  /** The columns whose values differ from row to row. */
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

interface BulkQuery extends CompiledQuery {
  readonly bulk: BulkInsert;
}

/**
 * A query that each dialect's driver turns into its database's fastest insert. The query builder would take longer to
 * build hundreds of rows than the database takes to write them.
 */
export function bulkQuery(bulk: BulkInsert): CompiledQuery {
  const query: BulkQuery = { ...CompiledQuery.raw(`bulk insert into ${bulk.table}`), bulk };
  return query;
}

/** The bulk insert of such a query; undefined for any other query. */
export function bulkOf(query: CompiledQuery): BulkInsert | undefined {
  return (query as Partial<BulkQuery>).bulk;
}

/** `insert into "table" ("column", ...) values `, to be followed by placeholders. The names are the schema's. */
export function insertHead({ table, shared, columns }: BulkInsert): string {
  return `insert into "${table}" (${[...Object.keys(shared), ...columns].map((column) => `"${column}"`).join(', ')}) values `;
}

import { CompiledQuery } from 'kysely';

export interface BulkInsert {
  readonly table: string;
  /** Columns that have the same value in each row. */
  readonly shared: Readonly<Record<string, unknown>>;
  /** The other columns. */
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

interface BulkQuery extends CompiledQuery {
  readonly bulk: BulkInsert;
}

/**
 * A query that each dialect's driver turns into the statement that its database runs fastest. Building hundreds of rows with the query
 * builder takes longer than writing them.
 */
export function bulkQuery(bulk: BulkInsert): CompiledQuery {
  const query: BulkQuery = { ...CompiledQuery.raw(`bulk insert into ${bulk.table}`), bulk };
  return query;
}

/** The rows of a bulk query; undefined for any other. */
export function bulkOf(query: CompiledQuery): BulkInsert | undefined {
  return (query as Partial<BulkQuery>).bulk;
}

/** `insert into table (columns) values`, to be followed by the placeholders. Names are the schema's own. */
export function insertHead({ table, shared, columns }: BulkInsert): string {
  return `insert into "${table}" (${[...Object.keys(shared), ...columns].map((column) => `"${column}"`).join(', ')}) values `;
}

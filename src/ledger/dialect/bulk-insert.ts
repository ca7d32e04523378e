import { CompiledQuery } from 'kysely';

/** Many rows for one table, each with a value for every column. */
export interface BulkInsert {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

interface BulkQuery extends CompiledQuery {
  readonly bulk: BulkInsert;
}

/**
 * A query of which each dialect's driver makes the statement that its database takes fastest. Building one of hundreds of rows with the
 * query builder takes longer than the database does to write them.
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
export function insertHead({ table, columns }: BulkInsert): string {
  return `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) values `;
}

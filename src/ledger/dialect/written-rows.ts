import { CompiledQuery } from 'kysely';

/** A column of a table that goes from one database to another. */
export interface WrittenColumn {
  readonly name: string;
  readonly type: 'integer' | 'text' | 'bytes';
}

/** A table whose rows are read in the order of its key, or inserted, a JSON array each, bytes in hex: `[1,"it's",null,"00ff"]`. */
export interface WrittenTable {
  readonly table: string;
  readonly columns: readonly WrittenColumn[];
  readonly key: readonly string[];
}

interface WrittenQuery extends CompiledQuery {
  readonly written: WrittenTable & { readonly rows: readonly string[] };
}

/**
 * A query that reads such rows when it is streamed, or inserts those that it is given. One database takes what the other wrote, as a
 * parameter: to make objects of the rows takes longer than all the rest.
 */
export function writtenQuery(table: WrittenTable, rows: readonly string[] = []): CompiledQuery {
  const query: WrittenQuery = { ...CompiledQuery.raw(`written rows of ${table.table}`), written: { ...table, rows } };
  return query;
}

/** The table and rows of such a query; undefined for any other query. */
export function writtenOf(query: CompiledQuery): WrittenQuery['written'] | undefined {
  return (query as Partial<WrittenQuery>).written;
}

/** @param write an expression for a column's value as JSON writes it, `null` where there is none */
export function selectWritten({ table, columns, key }: WrittenTable, write: (column: WrittenColumn) => string): string {
  const row = columns.map(write).join(` || ',' || `);
  return `select '[' || ${row} || ']' as written from "${table}" order by ${listed(key)}`;
}

/** `insert into table (columns)`, to be followed by what selects the rows. */
export function insertWritten({ table, columns }: WrittenTable): string {
  return `insert into "${table}" (${listed(columns.map(({ name }) => name))}) `;
}

/** Rows as one JSON array. */
export function arrayOf(rows: readonly string[]): string {
  return `[${rows.join(',')}]`;
}

/** Names are the schema's own. */
function listed(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

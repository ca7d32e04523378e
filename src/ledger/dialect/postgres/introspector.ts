import { type DatabaseIntrospector, type Kysely, sql, type TableMetadata } from 'kysely';

/** The oid of the schema that the connection works in. The database may have other ledgers in other schemas. */
export const CURRENT_SCHEMA = sql`(select oid from pg_namespace where nspname = current_schema())`;

/** A column as the catalogue describes it. Booleans come as 0 and 1: see `typesOf` in client.ts. */
interface ColumnRow {
  readonly table: string;
  readonly kind: string;
  readonly column: string;
  readonly type: string;
  readonly notNull: 0 | 1;
  readonly hasDefault: 0 | 1;
}

/**
 * Describes the tables of the ledger's schema, for dumps and for kysely's migrator; kysely's introspector reads every
 * schema of the database.
 */
export function introspectorOf(db: Kysely<unknown>): DatabaseIntrospector {
  const getTables = async (): Promise<TableMetadata[]> => {
    const { rows } = await sql<ColumnRow>`
      select c.relname as table, c.relkind as kind, a.attname as column, t.typname as type,
        a.attnotnull as "notNull", a.atthasdef as "hasDefault"
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      where c.relnamespace = ${CURRENT_SCHEMA} and c.relkind in ('r', 'p', 'v')
      order by c.relname, a.attnum`.execute(db);
    const tables = new Map<string, TableMetadata>();
    for (const row of rows) {
      const table = tables.get(row.table) ?? { name: row.table, isView: row.kind === 'v', columns: [] };
      tables.set(row.table, table);
      table.columns.push({
        name: row.column,
        dataType: row.type,
        isNullable: row.notNull === 0,
        isAutoIncrementing: false,
        hasDefaultValue: row.hasDefault === 1,
      });
    }
    return [...tables.values()];
  };
  return {
    getTables,
    getSchemas: async () => [],
    getMetadata: async () => ({ tables: await getTables() }),
  };
}

import { type DatabaseIntrospector, type Kysely, sql, type TableMetadata } from 'kysely';

/** The schema that the connection works in: the first of its search path. The database may hold other ledgers beside it. */
export const HERE = sql`(select oid from pg_namespace where nspname = current_schema())`;

interface ColumnRow {
  readonly table: string;
  readonly kind: string;
  readonly column: string;
  readonly type: string;
  readonly notNull: 0 | 1;
  readonly hasDefault: 0 | 1;
}

/** Reads the ledger's own schema alone; kysely's introspector reads every schema of the database. */
export function introspectorOf(db: Kysely<unknown>): DatabaseIntrospector {
  const getTables = async (): Promise<TableMetadata[]> => {
    const { rows } = await sql<ColumnRow>`
      select c.relname as table, c.relkind as kind, a.attname as column, t.typname as type,
        a.attnotnull as "notNull", a.atthasdef as "hasDefault"
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      where c.relnamespace = ${HERE} and c.relkind in ('r', 'p', 'v')
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

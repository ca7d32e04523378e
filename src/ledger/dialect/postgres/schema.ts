import { type DatabaseIntrospector, type Kysely, type RawBuilder, sql, type TableMetadata } from 'kysely';
import type { ClientBase } from 'pg';
import type { MigrationDialect } from '../../../../migrations/index.ts';
import type { ServerPlace } from '../../../base/place.ts';
import { quotedName } from './client.ts';

/** The oid of the schema that the connection works in. The database may have other ledgers in other schemas. */
export const CURRENT_SCHEMA = sql`(select oid from pg_namespace where nspname = current_schema())`;

/** Makes the ledger's schema if it is missing, so that a user without that right can still use an existing one. */
export async function makeSchema(client: ClientBase, { schema }: ServerPlace): Promise<void> {
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [schema]);
  if (rows.length > 0) return;
  try {
    await client.query(`create schema if not exists ${quotedName(schema)}`);
  } catch (error) {
    // Another process made it at the same moment.
    if ((error as { code?: string }).code !== '23505') throw error;
  }
}

const REFUSING_FUNCTION = 'remit_refuses_change';

/** @param hasTriggers false for engines on which triggers do not hold: there only grants protect append-only tables */
export function postgresMigrations(hasTriggers: boolean): MigrationDialect {
  return {
    text: sql`text collate "C"`,
    integer: sql`bigint`,
    blob: sql`bytea`,
    tableEnd: sql``,
    clusteredTableEnd: sql``,
    appendOnly: (table) => (hasTriggers ? [MAKE_REFUSING_FUNCTION, refusingTrigger(table)] : []),
    altering: (_db, alter) => alter(),
    decimal: (column) => sql`cast(${sql.raw(column)}::numeric / 10000 as numeric(20, 4))`,
    units: (text) => {
      const t = sql.raw(text);
      return sql`case when length(${t}) <= ${sql.lit(LONGEST_AMOUNT)} then cast(cast(${t} as numeric) * 10000 as bigint) end`;
    },
    sum: (column) => sql`cast(sum(${sql.raw(column)}) as bigint)`,
    // In a view only a failing cast can give an error with a text of our choice: it repeats the text that is no number.
    moneySum: (column, fault) => sql`case when abs(sum(${sql.raw(column)})) >= ${sql.lit(MOST_UNITS)}
      then cast(${fault} as bigint) else cast(sum(${sql.raw(column)}) as bigint) end`,
    days: (from, to) => sql`(${dateOf(to)} - ${dateOf(from)})`,
    lastDay: (month) =>
      sql`to_char(cast(${sql.raw(month)} || '-01' as date) + interval '1 month' - interval '1 day', 'YYYY-MM-DD')`,
    hex: (column) => sql`encode(${sql.raw(column)}, 'hex')`,
    jsonCount: (column, path) => {
      const at = sql`(cast(${sql.raw(column)} as jsonb) #> ${sql.lit(`{${path.join(',')}}`)})`;
      return sql`case when jsonb_typeof(${at}) = 'number' and ${at}::text not like '%.%' then cast(${at}::text as bigint) end`;
    },
  };
}

/** How many characters an amount written as text may have, so that it surely fits into 64 bits. */
const LONGEST_AMOUNT = 19;
/** The largest amount that fits into 64 bits, without its decimals, as in SQLite. */
const MOST_UNITS = 9_223_372_036_854_770_000n;

/**
 * The date that a text begins with, or null. A cast would fail for text from outside that is no date; as in SQLite,
 * 31 February is 3 March.
 */
function dateOf(text: string): RawBuilder<unknown> {
  const t = sql.raw(text);
  return sql`case when ${t} ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
    then make_date(cast(substr(${t}, 1, 4) as int), cast(substr(${t}, 6, 2) as int), 1) + cast(substr(${t}, 9, 2) as int) - 1 end`;
}

const MAKE_REFUSING_FUNCTION: RawBuilder<unknown> = sql`
  create or replace function ${sql.raw(REFUSING_FUNCTION)}() returns trigger language plpgsql as $$
  begin raise exception '% is append-only', tg_table_name; end $$`;

/** The trigger names its function with the schema, because no search path finds functions in a temporary one. */
function refusingTrigger(table: string): RawBuilder<unknown> {
  return sql.raw(`do $$ begin execute format(
    'create trigger ${table}_refuses_change before update or delete or truncate on ${table}
      for each statement execute function %I.${REFUSING_FUNCTION}()', current_schema()); end $$`);
}

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

import { type RawBuilder, sql } from 'kysely';
import type { MigrationDialect } from '../../../../migrations/index.ts';

const FUNCTION = 'remit_refuses_change';

/** @param hasTriggers false for engines on which they do not hold: there grants alone keep what is append-only */
export function postgresMigrations(hasTriggers: boolean): MigrationDialect {
  return {
    text: sql`text collate "C"`,
    integer: sql`bigint`,
    blob: sql`bytea`,
    tableEnd: sql``,
    clusteredTableEnd: sql``,
    appendOnly: (table) => (hasTriggers ? [REFUSE, trigger(table)] : []),
    decimal: (column) => sql`cast(${sql.raw(column)}::numeric / 10000 as numeric(20, 4))`,
  };
}

const REFUSE: RawBuilder<unknown> = sql`
  create or replace function ${sql.raw(FUNCTION)}() returns trigger language plpgsql as $$
  begin raise exception '% is append-only', tg_table_name; end $$`;

/** The function is named with its schema: a temporary one is found by no search path. */
function trigger(table: string): RawBuilder<unknown> {
  return sql.raw(`do $$ begin execute format(
    'create trigger ${table}_refuses_change before update or delete or truncate on ${table}
      for each statement execute function %I.${FUNCTION}()', current_schema()); end $$`);
}

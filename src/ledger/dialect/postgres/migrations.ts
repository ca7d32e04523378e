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
    altering: (_db, alter) => alter(),
    decimal: (column) => sql`cast(${sql.raw(column)}::numeric / 10000 as numeric(20, 4))`,
    units: (text) => {
      const t = sql.raw(text);
      return sql`case when length(${t}) <= ${sql.lit(LONGEST)} then cast(cast(${t} as numeric) * 10000 as bigint) end`;
    },
    sum: (column) => sql`cast(sum(${sql.raw(column)}) as bigint)`,
    // A cast of what is no number repeats it in its error, and a view has no other way to fail with a text of its own.
    moneySum: (column, fault) => sql`case when abs(sum(${sql.raw(column)})) >= ${sql.lit(MOST_UNITS)}
      then cast(${fault} as bigint) else cast(sum(${sql.raw(column)}) as bigint) end`,
    days: (from, to) => sql`(${day(to)} - ${day(from)})`,
    lastDay: (month) =>
      sql`to_char(cast(${sql.raw(month)} || '-01' as date) + interval '1 month' - interval '1 day', 'YYYY-MM-DD')`,
    hex: (column) => sql`encode(${sql.raw(column)}, 'hex')`,
    jsonCount: (column, path) => {
      const at = sql`(cast(${sql.raw(column)} as jsonb) #> ${sql.lit(`{${path.join(',')}}`)})`;
      return sql`case when jsonb_typeof(${at}) = 'number' and ${at}::text not like '%.%' then cast(${at}::text as bigint) end`;
    },
  };
}

/** Digits, sign and point of an amount that surely fits; the table's own amounts are integers and always do. */
const LONGEST = 19;
/** As in SQLite: the largest amount that 64 bits hold, without its decimals. */
const MOST_UNITS = 9_223_372_036_854_770_000n;

/** The date that a text begins with. Text from outside may be no date, which a cast would not survive. */
function day(text: string): RawBuilder<unknown> {
  const t = sql.raw(text);
  return sql`case when ${t} ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
    then make_date(cast(substr(${t}, 1, 4) as int), cast(substr(${t}, 6, 2) as int), 1) + cast(substr(${t}, 9, 2) as int) - 1 end`;
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

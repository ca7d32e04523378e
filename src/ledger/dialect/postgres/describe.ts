import { sql } from 'kysely';
import type { Connection, SchemaObject } from '../dialect.ts';
import { HERE } from './introspector.ts';

/** What is no part of the ledger itself: the migrations' own tables, and the lease. */
const OTHERS = sql`('kysely_migration', 'kysely_migration_lock', 'remit_lease')`;

/** Every table, view, index, constraint, trigger and function of the ledger's schema, in words that do not name the schema. */
export async function describe({ db }: Connection): Promise<SchemaObject[]> {
  const { rows } = await sql<SchemaObject>`
    with own as (
      select oid, relname, relkind from pg_class where relnamespace = ${HERE} and relname not in ${OTHERS}
    )
    select 'table ' || o.relname as name,
      string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || coalesce(' collate ' || l.collname, '')
        || case when a.attnotnull then ' not null' else '' end || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''),
        ', ' order by a.attnum)
        as definition
    from own o
    join pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped
    left join pg_collation l on l.oid = a.attcollation and l.collname <> 'default'
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where o.relkind in ('r', 'p') group by o.relname
    union all
    select 'view ' || relname, pg_get_viewdef(oid, true) from own where relkind = 'v'
    union all
    select 'other ' || relname, relkind::text from own where relkind not in ('r', 'p', 'v', 'i', 'I')
    union all
    select 'index ' || o.relname, regexp_replace(pg_get_indexdef(o.oid), ' ON [^ ]+ ', ' ON ' || t.relname || ' ')
    from own o join pg_index i on i.indexrelid = o.oid join pg_class t on t.oid = i.indrelid
    where o.relkind in ('i', 'I') and t.relname not in ${OTHERS}
    union all
    select 'constraint ' || o.relname || ' ' || c.conname, pg_get_constraintdef(c.oid, true)
    from own o join pg_constraint c on c.conrelid = o.oid
    union all
    select 'trigger ' || t.tgname,
      regexp_replace(pg_get_triggerdef(t.oid, true), '(ON|FUNCTION) [^. ]+[.]', '\\1 ', 'g')
        || case t.tgenabled when 'O' then '' else ' (disabled)' end
    from own o join pg_trigger t on t.tgrelid = o.oid where not t.tgisinternal
    union all
    select 'function ' || p.proname, p.prosrc from pg_proc p where p.pronamespace = ${HERE}
    order by 1`.execute(db);
  return rows;
}

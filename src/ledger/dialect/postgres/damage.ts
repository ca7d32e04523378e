import { sql } from 'kysely';
import type { Connection, DamageDepth } from '../dialect.ts';
import { quotedName } from './client.ts';
import { CURRENT_SCHEMA } from './introspector.ts';

const MOST_PROBLEMS = 100;

/**
 * Looks for damage that the server knows of, and for rows that point to no other row. It does not read the pages: the
 * server checks their checksums when the rows are derived again. Indexes are compared with their tables if the
 * extension `amcheck` is there and may be used.
 */
export async function findDamage(connection: Connection, depth: DamageDepth): Promise<string[]> {
  const { db } = connection;
  const damage: string[] = [];
  const invalid = await sql<{ name: string; what: string }>`
    select c.relname as name, 'the index is not valid' as what
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = ${CURRENT_SCHEMA} and not (i.indisvalid and i.indisready)
    union all
    select t.relname || ' ' || c.conname, 'the constraint was never checked'
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where t.relnamespace = ${CURRENT_SCHEMA} and not c.convalidated
    order by 1`.execute(db);
  for (const { name, what } of invalid.rows) damage.push(`${name}: ${what}`);
  const checksums = await sql<{ failures: number }>`
    select coalesce(checksum_failures, 0) as failures from pg_stat_database where datname = current_database()`.execute(
    db,
  );
  const failures = checksums.rows[0]?.failures ?? 0;
  if (failures > 0) damage.push(`the server has counted ${failures} pages whose checksum is wrong`);
  for (const problem of await findOrphans(connection)) damage.push(problem);
  if (depth === 'indexes') damage.push(...(await checkIndexes(connection)));
  return damage;
}

/** A foreign key: column `from` of `child` refers to column `to` of `parent`. */
interface Reference {
  readonly child: string;
  readonly parent: string;
  readonly from: string;
  readonly to: string;
}

async function findOrphans({ db }: Connection): Promise<string[]> {
  const references = await sql<Reference>`
    select t.relname as child, p.relname as parent, a.attname as "from", b.attname as "to"
    from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    join pg_class p on p.oid = c.confrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
    where c.contype = 'f' and t.relnamespace = ${CURRENT_SCHEMA} order by 1, 3`.execute(db);
  const problems: string[] = [];
  for (const { child, parent, from, to } of references.rows) {
    const [c, p] = [sql.table(child), sql.table(parent)];
    const lost = await sql<{ value: string }>`
      select cast(c.${sql.raw(quotedName(from))} as text) as value from ${c} c
      where c.${sql.raw(quotedName(from))} is not null
        and not exists (select 1 from ${p} p where p.${sql.raw(quotedName(to))} = c.${sql.raw(quotedName(from))})
      limit ${sql.lit(MOST_PROBLEMS)}`.execute(db);
    for (const { value } of lost.rows) problems.push(`a row of ${child} (${value}) points to no ${parent}`);
  }
  return problems;
}

async function checkIndexes({ db }: Connection): Promise<string[]> {
  const { rows } = await sql<{ schema: string }>`
    select n.nspname as schema from pg_extension e
    join pg_proc p on p.proname = 'bt_index_check' and p.pronargs = 2
    join pg_namespace n on n.oid = p.pronamespace
    where e.extname = 'amcheck' and has_function_privilege(p.oid, 'execute')
    limit 1`.execute(db);
  if (rows.length === 0) return [];
  const check = sql.raw(`${quotedName(rows[0]!.schema)}.bt_index_check`);
  const indexes = await sql<{ oid: number; name: string }>`
    select c.oid::bigint as oid, c.relname as name
    from pg_class c join pg_am m on m.oid = c.relam
    where c.relnamespace = ${CURRENT_SCHEMA} and c.relkind = 'i' and m.amname = 'btree' order by 2`.execute(db);
  const problems: string[] = [];
  for (const { oid, name } of indexes.rows) {
    try {
      await sql`select ${check}(${sql.lit(oid)}::oid::regclass, true)`.execute(db);
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message}`);
    }
  }
  return problems;
}

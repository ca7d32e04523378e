import { sql } from 'kysely';
import { sizeText } from '../../../base/counted.ts';
import { describePlace, type ServerPlace } from '../../../base/place.ts';
import type { Connection, DamageDepth, Examined } from '../dialect.ts';
import { isThisMachine, quotedName, usingConnection } from './client.ts';
import { ENGINE_QUERY, engineOf } from './engine.ts';
import { CURRENT_SCHEMA } from './schema.ts';

/** A slower server makes each of a sync's many small statements wait. */
const SLOW_MS = 50;
const TRIES = 5;

/** The row of {@link SERVER_QUERY}. */
interface ServerFacts {
  readonly user: string;
  readonly tls: string | null;
  readonly size: number | null;
  /** A boolean, which comes as a number: see `typesOf` in client.ts. */
  readonly standby: 0 | 1;
  readonly lacking: string[];
}

/** Examines a server's version, answer time, encryption, rights and ledger size. @throws the driver's errors */
export function examineServer(place: ServerPlace): Promise<Examined[]> {
  return usingConnection(place, 'any', async (client) => {
    const times: number[] = [];
    for (let count = 0; count < TRIES; count += 1) {
      const begun = performance.now();
      await client.query('select 1');
      times.push(performance.now() - begun);
    }
    const engine = engineOf((await client.query(ENGINE_QUERY)).rows[0], place.lock);
    const { rows } = await client.query<ServerFacts>(SERVER_QUERY, [place.schema]);
    const facts = rows[0]!;
    const fastest = Math.min(...times);
    const none = 'no ledger there yet; the first sync makes it';
    const size = facts.size === null ? none : `${sizeText(facts.size)} in the schema ${place.schema}`;
    return [
      describeServer(place, engine.name, fastest),
      describeEncryption(place, facts),
      describeRights(place, facts),
      passed('size', size),
    ];
  });
}

const SERVER_QUERY = `select current_user as user, pg_is_in_recovery() as standby,
  (select s.version || ', ' || s.cipher from pg_stat_ssl s where s.pid = pg_backend_pid() and s.ssl) as tls,
  (select sum(pg_total_relation_size(c.oid))::bigint from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p')) as size,
  array(select c.relname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'p', 'v') and not has_table_privilege(c.oid, 'select') order by 1) as lacking`;

function describeServer(place: ServerPlace, engine: string, fastest: number): Examined {
  const message = `${engine} at ${describePlace(place)} answers in ${fastest.toFixed(fastest < 10 ? 1 : 0)} ms`;
  if (fastest <= SLOW_MS) return passed('server', message);
  return failed('server', message, 'A sync makes many small statements: run it on a machine nearer to the server.');
}

function describeEncryption(
  { host, encryption: { mode, rootCertificate } }: ServerPlace,
  { tls }: ServerFacts,
): Examined {
  const name = 'ledger line';
  if (tls !== null) {
    const message = `encrypted (${tls})`;
    // With a root certificate, `require` looks at the certificate as `verify-ca` does.
    if (mode !== 'require' || rootCertificate !== null) return passed(name, message);
    const remedy = 'Use `sslmode=verify-full` with `sslrootcert=FILE` in the address.';
    return failed(name, `${message}, but whose certificate it is was not looked at`, remedy);
  }
  const where = host ?? process.env.PGHOST ?? 'localhost';
  if (isThisMachine(where)) return passed(name, 'no encryption needed: it is this machine');
  const remedy = 'Turn `ssl` on at the server, and leave `sslmode=disable` out of the address.';
  return failed(name, `figures and password travel to ${where} unencrypted`, remedy);
}

function describeRights({ schema }: ServerPlace, { user, standby, lacking }: ServerFacts): Examined {
  const name = 'rights';
  if (lacking.length > 0) {
    const tables = `${lacking.slice(0, 3).join(', ')}${lacking.length > 3 ? ` and ${lacking.length - 3} more` : ''}`;
    const message = `${user} may not read ${tables} in ${schema}`;
    return failed(name, message, 'Have the owner run what `remit ledger grants` prints.');
  }
  const readOnly = standby === 1 ? '; the server is a read-only copy' : '';
  return passed(name, `${user} may read the whole ledger${readOnly}`);
}

function passed(name: string, message: string): Examined {
  return { name, ok: true, message, remedy: null };
}

function failed(name: string, message: string, remedy: string): Examined {
  return { name, ok: false, message, remedy };
}

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
    select coalesce(checksum_failures, 0) as failures
    from pg_stat_database where datname = current_database()`.execute(db);
  const failures = checksums.rows[0]?.failures ?? 0;
  if (failures > 0) damage.push(`the server has counted ${failures} pages whose checksum is wrong`);
  for (const problem of await findOrphans(connection)) damage.push(problem);
  if (depth === 'indexes') damage.push(...(await checkIndexes(connection)));
  return damage;
}

/** A foreign key from the table `child` to the table `parent`. */
interface Reference {
  readonly child: string;
  readonly parent: string;
  /** JSON: each column of the child with the parent's: `[["courier", "courier"], ["invoice_number", "number"]]`. */
  readonly columns: string;
}

async function findOrphans({ db }: Connection): Promise<string[]> {
  const references = await sql<Reference>`
    select t.relname as child, p.relname as parent,
      cast(json_agg(json_build_array(a.attname, b.attname) order by k.place) as text) as columns
    from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    join pg_class p on p.oid = c.confrelid
    cross join lateral unnest(c.conkey, c.confkey) with ordinality as k (from_column, to_column, place)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.from_column
    join pg_attribute b on b.attrelid = c.confrelid and b.attnum = k.to_column
    where c.contype = 'f' and t.relnamespace = ${CURRENT_SCHEMA}
    group by c.oid, c.conname, t.relname, p.relname order by 1, c.conname`.execute(db);
  const problems: string[] = [];
  for (const { child, parent, columns } of references.rows) {
    const pairs = (JSON.parse(columns) as [string, string][]).map(([from, to]) => ({
      child: sql.raw(`c.${quotedName(from)}`),
      parent: sql.raw(`p.${quotedName(to)}`),
    }));
    const isSet = pairs.map((pair) => sql`${pair.child} is not null`);
    const isSame = pairs.map((pair) => sql`${pair.parent} = ${pair.child}`);
    // The last column tells the row; the one before it, if any, is its courier.
    const lost = await sql<{ value: string }>`
      select cast(${pairs.at(-1)!.child} as text) as value from ${sql.table(child)} c
      where ${sql.join(isSet, sql` and `)}
        and not exists (select 1 from ${sql.table(parent)} p where ${sql.join(isSame, sql` and `)})
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

import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression, sql } from 'kysely';
import type { ClientBase } from 'pg';
import { LedgerError } from '../../../base/errors.ts';
import type { LockKind, ServerPlace } from '../../../base/place.ts';
import type { LedgerDb, LedgerSchema } from '../../schema.ts';
import type { Connection, LedgerDialect, LedgerLock, SchemaObject } from '../dialect.ts';
import { cursorsOf } from './batch.ts';
import { clientConfig, findHost, patientClient, quotedName, usingConnection } from './client.ts';
import { ledgerPostgresDialect } from './driver.ts';
import { type Engine, requireKnown } from './engine.ts';
import { explainServerFault } from './faults.ts';
import { grantsSql } from './grants.ts';
import { examineServer, findDamage } from './health.ts';
import { takeLease } from './lease.ts';
import { takeAdvisoryLock } from './lock.ts';
import { CURRENT_SCHEMA, makeSchema, postgresMigrations } from './schema.ts';

/** Tables that are no part of the ledger: those of the migrations, and the lease. */
const NOT_OF_LEDGER = sql`('kysely_migration', 'kysely_migration_lock', 'remit_lease')`;

/** Describes every table, view, index, constraint, trigger and function, without the schema's name. */
async function describe(db: LedgerDb): Promise<SchemaObject[]> {
  const { rows } = await sql<SchemaObject>`
    with objects as (
      select oid, relname, relkind from pg_class where relnamespace = ${CURRENT_SCHEMA} and relname not in ${NOT_OF_LEDGER}
    )
    select 'table ' || o.relname as name,
      string_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || coalesce(' collate ' || l.collname, '')
        || case when a.attnotnull then ' not null' else '' end || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), ''),
        ', ' order by a.attnum)
        as definition
    from objects o
    join pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped
    left join pg_collation l on l.oid = a.attcollation and l.collname <> 'default'
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where o.relkind in ('r', 'p') group by o.relname
    union all
    select 'view ' || relname, pg_get_viewdef(oid, true) from objects where relkind = 'v'
    union all
    select 'other ' || relname, relkind::text from objects where relkind not in ('r', 'p', 'v', 'i', 'I')
    union all
    select 'index ' || o.relname, regexp_replace(pg_get_indexdef(o.oid), ' ON [^ ]+ ', ' ON ' || t.relname || ' ')
    from objects o join pg_index i on i.indexrelid = o.oid join pg_class t on t.oid = i.indrelid
    where o.relkind in ('i', 'I') and t.relname not in ${NOT_OF_LEDGER}
    union all
    select 'constraint ' || o.relname || ' ' || c.conname, pg_get_constraintdef(c.oid, true)
    from objects o join pg_constraint c on c.conrelid = o.oid
    union all
    select 'trigger ' || t.tgname,
      regexp_replace(pg_get_triggerdef(t.oid, true), '(ON|FUNCTION) [^. ]+[.]', '\\1 ', 'g')
        || case t.tgenabled when 'O' then '' else ' (disabled)' end
    from objects o join pg_trigger t on t.tgrelid = o.oid where not t.tgisinternal
    union all
    select 'function ' || p.proname, p.prosrc from pg_proc p where p.pronamespace = ${CURRENT_SCHEMA}
    order by 1`.execute(db);
  return rows;
}

/** The triggers that refuse changes, and their function. */
const APPEND_ONLY_GUARDS = /^(?:trigger \w+_refuses_change|function remit_refuses_change)$/;

const MIGRATION_WAIT_MS = 60_000;
/** How long a statement waits for another writer's transaction. */
const LOCK_WAIT = '300s';
/**
 * Checks are a few dozen statements over many rows: compiling one takes longer than running it, and sorting in memory
 * is faster than on disk. Looking a row up by an index costs little, because its pages are in memory; the default takes
 * each to cost as much as four.
 */
const PLANNER_SETTINGS = ['jit to off', "work_mem to '64MB'", 'random_page_cost to 1.1'];

/** A ledger in a schema of a PostgreSQL database, or of an engine that speaks its protocol. */
export function postgres(kind: LockKind): LedgerDialect<ServerPlace> {
  const describeIn = async (db: LedgerDb) =>
    // An engine on which triggers do not hold may have those of a ledger that was made elsewhere: that is no fault.
    (await describe(db)).filter(({ name }) => kind === 'advisory' || !APPEND_ONLY_GUARDS.test(name));
  const take = kind === 'lease' ? takeLease : takeAdvisoryLock;
  return {
    migrations: postgresMigrations(kind === 'advisory'),
    opensMissing: true,

    exists: (place) =>
      usingConnection(place, 'any', async (client) => {
        await requireKnown(client, place);
        const { rows } = await client.query(
          `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname <> 'remit_lease' limit 1`,
          [place.schema],
        );
        return rows.length > 0;
      }),

    open: (place, { create = false, lock, readOnly }) =>
      openPool(place, quotedName(place.schema), lock, create, readOnly ? 'any' : 'writer'),

    lock: (place, work, waitMs, courier) => take(place, 'work', { work, waitMs, held: null, courier }),
    // It waits, because a migration takes moments; a sync may hold the ledger's lock for hours.
    lockMigration: (place, held) => take(place, 'migration', { work: 'migration', waitMs: MIGRATION_WAIT_MS, held }),

    tables: sql`
      select relname as name from pg_class
      where relnamespace = ${CURRENT_SCHEMA} and relkind in ('r', 'p') and relname <> 'remit_lease'`,

    describe: ({ db }) => describeIn(db),

    /** In the connection's temporary schema, which needs no rights, and a transaction: a proxy may share it. */
    async describeNew(place, migrate) {
      const { db, close } = await openPool(place, 'pg_temp');
      try {
        return await db.connection().execute(async (connection) => {
          await sql`begin`.execute(connection);
          try {
            await migrate(connection);
            return await describeIn(connection);
          } finally {
            await sql`rollback`.execute(connection);
          }
        });
      } finally {
        await close();
      }
    },

    async withoutTriggers(db, tables, work) {
      const { rows } = await sql<{ table: string }>`
        select distinct c.relname as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = ${CURRENT_SCHEMA} and not t.tgisinternal
          and c.relname in (${sql.join(tables)})`.execute(db);
      for (const { table } of rows) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
      const result = await work();
      for (const { table } of rows) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
      return result;
    },

    findDamage,
    examine: examineServer,
    grants: grantsSql,
    isConflict: (error) => /^40/.test(String((error as { code?: unknown } | null)?.code)),
    explain: explainServerFault,
  };
}

/**
 * Opens a pool, which connects when a connection is needed: connecting takes longer than most statements. The first
 * connection asks for the server's engine.
 *
 * @param searchPath the schema, quoted for SQL
 */
async function openPool(
  place: ServerPlace,
  searchPath: string,
  lock: LedgerLock | null = null,
  makesSchema = false,
  who: 'writer' | 'any' = 'writer',
): Promise<Connection> {
  const { default: pg } = await import('pg');
  let isFirst = true;
  const isShared = place.lock === 'lease';
  const habits = {
    isShared,
    // Until the first connection says which engine it is.
    isPostgres: true,
    atBegin: [
      `set local lock_timeout = '${LOCK_WAIT}'`,
      ...(isShared ? [`set local search_path to ${searchPath}`] : []),
    ],
  };
  const setUpFirst = async (client: ClientBase) => {
    const { kind } = await (isShared ? requireKnown(client, place) : askAndSetUp(client, place, searchPath));
    habits.isPostgres = kind === 'postgresql';
    // No setting of a shared session would hold: each transaction makes them at its beginning.
    if (isShared && habits.isPostgres)
      habits.atBegin.push(...PLANNER_SETTINGS.map((setting) => `set local ${setting}`));
    if (makesSchema) await makeSchema(client, place);
    isFirst = false;
  };
  const pool = new pg.Pool({
    ...(await clientConfig(await findHost(place, who))),
    Client: await patientClient(),
    // As with SQLite, and so that many commands can use one server. A second connection holds the lock.
    max: 1,
    // No limit: whoever waits for the pool's one connection does not wait for the server.
    connectionTimeoutMillis: 0,
    idleTimeoutMillis: 0,
    onConnect: async (client) => {
      if (isFirst) await setUpFirst(client);
      else if (!isShared) await setUp(client, searchPath);
    },
  });
  // If a connection dies, the next statement on it fails; without a listener the process would end.
  pool.on('error', () => {});
  const db = new Kysely<LedgerSchema>({
    dialect: ledgerPostgresDialect({ pool, cursor: cursorsOf(pg.Query) }, lock, habits),
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  });
  return {
    db,
    async beginSnapshot(connection) {
      await sql`begin isolation level repeatable read read only`.execute(connection);
    },
    async endSnapshot(connection) {
      await sql`rollback`.execute(connection);
    },
    async close() {
      await db.destroy();
    },
  };
}

/** Asks the server for its engine, and in the same round trip makes the settings of the connection. */
async function askAndSetUp(client: ClientBase, place: ServerPlace, searchPath: string): Promise<Engine> {
  try {
    return await requireKnown(client, place, `; ${setUpSql(searchPath)}`);
  } catch (error) {
    if (error instanceof LedgerError) throw error;
    // A server that does not know a setting has made none of them, and is asked again without them.
    const engine = await requireKnown(client, place);
    await setUp(client, searchPath);
    return engine;
  }
}

/** Makes the settings of a new connection. If this fails the pool drops it; kysely's own hook would hang. */
async function setUp(client: ClientBase, searchPath: string): Promise<void> {
  // An engine that does not know the planner's settings goes on without them.
  await client.query(setUpSql(searchPath)).catch(() => client.query(`set search_path to ${searchPath}`));
}

function setUpSql(searchPath: string): string {
  return [`search_path to ${searchPath}`, ...PLANNER_SETTINGS].map((setting) => `set ${setting}`).join('; ');
}

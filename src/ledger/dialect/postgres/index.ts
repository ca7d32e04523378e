import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression, sql } from 'kysely';
import type { ClientBase } from 'pg';
import type { LockKind, ServerPlace } from '../../../base/place.ts';
import type { LedgerSchema } from '../../schema.ts';
import type { Connection, ConnectionOptions, LedgerDialect, LedgerLock } from '../dialect.ts';
import type { Work } from '../lock-holder.ts';
import { clientConfig, poolClient, quoted, usingClient } from './client.ts';
import { findDamage } from './damage.ts';
import { describe } from './describe.ts';
import { LedgerPostgresDialect } from './driver.ts';
import { requireKnown } from './engine.ts';
import { explainServerFault } from './faults.ts';
import { grantsSql } from './grants.ts';
import { examineServer } from './health.ts';
import { HERE } from './introspector.ts';
import { takeLease } from './lease.ts';
import { type LockPurpose, takeAdvisoryLock } from './lock.ts';
import { postgresMigrations } from './migrations.ts';
import { makeSchema } from './schema.ts';

/** A command holds few connections at once: one that works, and one that reads beside it. */
const MOST_CONNECTIONS = 4;
const MIGRATION_WAIT_MS = 60_000;

/** A ledger in a schema of a PostgreSQL database, or of an engine that speaks its protocol. */
export function postgres(kind: LockKind): LedgerDialect<ServerPlace> {
  const take: (place: ServerPlace, purpose: LockPurpose, work: Work, waitMs: number) => Promise<LedgerLock> =
    kind === 'lease' ? takeLease : takeAdvisoryLock;
  return {
    migrations: postgresMigrations(kind === 'advisory'),
    opensMissing: true,

    exists: (place) =>
      usingClient(place, async (client) => {
        await requireKnown(client, place);
        const { rows } = await client.query(
          `select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname <> 'remit_lease' limit 1`,
          [place.schema],
        );
        return rows.length > 0;
      }),

    open: (place, { create, lock }) => openPool(place, quoted(place.schema), { lock, makesSchema: create }),

    lock: (place, work, waitMs) => take(place, 'work', work, waitMs),
    // The ledger's lock may be held for hours by a sync, this one for moments.
    lockMigration: (place) => take(place, 'migration', 'migration', MIGRATION_WAIT_MS),

    async tableNames({ db }) {
      const tables = await sql<{ name: string }>`
        select relname as name from pg_class
        where relnamespace = ${HERE} and relkind in ('r', 'p') and relname <> 'remit_lease'`.execute(db);
      return tables.rows.map(({ name }) => name);
    },

    describe,

    /** In the connection's own temporary schema, which needs no right to make schemas and goes with the connection. */
    async describeNew(place, migrate) {
      const connection = await openPool(place, 'pg_temp', { max: 1 });
      try {
        await migrate(connection);
        return await describe(connection);
      } finally {
        await connection.close();
      }
    },

    async withoutTriggers(db, tables, work) {
      const { rows } = await sql<{ table: string }>`
        select distinct c.relname as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where c.relnamespace = ${HERE} and not t.tgisinternal and c.relname in (${sql.join(tables)})`.execute(db);
      for (const { table } of rows) await sql`alter table ${sql.table(table)} disable trigger user`.execute(db);
      const result = await work();
      for (const { table } of rows) await sql`alter table ${sql.table(table)} enable trigger user`.execute(db);
      return result;
    },

    findDamage,
    examine: (place) => examineServer(place),
    grants: grantsSql,
    isConflict: (error) => /^40/.test(String((error as { code?: unknown } | null)?.code)),
    explain: explainServerFault,
  };
}

/**
 * Opens connections as they are needed: to connect takes longer than most statements. The first asks the server what it is.
 *
 * @param searchPath the schema, as SQL writes it
 */
async function openPool(
  place: ServerPlace,
  searchPath: string,
  {
    lock = null,
    makesSchema = false,
    max = MOST_CONNECTIONS,
  }: { readonly lock?: ConnectionOptions['lock']; readonly makesSchema?: boolean; readonly max?: number },
): Promise<Connection> {
  const { default: pg } = await import('pg');
  let isFirst = true;
  const pool = new pg.Pool({
    ...(await clientConfig(place)),
    Client: await poolClient(),
    max,
    idleTimeoutMillis: 0,
    onConnect: async (client) => {
      if (isFirst) {
        await requireKnown(client, place);
        if (makesSchema) await makeSchema(client, place);
        isFirst = false;
      }
      await setUp(client, searchPath);
    },
  });
  // A connection that dies fails the next statement on it, and must not end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const db = new Kysely<LedgerSchema>({
    dialect: new LedgerPostgresDialect({ pool }, lock),
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

/** Settings of a new connection. If they fail, the pool drops the connection; kysely's own hook would wait for it for ever. */
async function setUp(client: ClientBase, searchPath: string): Promise<void> {
  await client.query(`set search_path to ${searchPath}`);
  // Checks are a few dozen statements over many rows: compiling each takes longer than running it, and sorting in memory is faster than
  // on disk. An engine without these settings goes on without them.
  await client.query("set jit to off; set work_mem to '64MB'").catch(() => {});
}

/**
 * What is kept of the nights of a fleet. A fleet is many merchants, each with its books; a night is one merchant's
 * `remit night`; and a run of the fleet is a night of every merchant.
 */
import { type Generated, Kysely, PostgresDialect, type SqlBool, sql } from 'kysely';
import type { Pool } from 'pg';
import type { Place } from '../../base/place.ts';
import { openDatabase } from '../../base/sqlite.ts';
import { dialectOf } from '../dialect/index.ts';
import { clientConfig, findHost, patientClient } from '../dialect/postgres/client.ts';
import { ledgerSqliteDialect } from '../dialect/sqlite/driver.ts';

/** One attempt at a merchant's night in a run of the fleet. */
export interface NightRow {
  readonly run: number;
  readonly merchant: string;
  /** From 1: a night that failed is tried again. */
  readonly attempt: number;
  /** The name of the server, or of the folder, that holds the merchant's ledger. */
  readonly cell: string;
  readonly started_at: string;
  readonly finished_at: string;
  /** Null if it was killed before it ended. */
  readonly exit_code: number | null;
  /** Why it failed; null if it did not. */
  readonly reason: string | null;
  /** The part of the summary that the merchant's status shows, as JSON; null if there is no summary. */
  readonly said: string | null;
  /** 1 if it need not be tried again. */
  readonly is_done: number;
  /** 1 if it checked the merchant's books. */
  readonly is_checked: number;
}

/** A night as it is stored: too long to be read by the thousand. */
export interface KeptNight extends NightRow {
  /** The output of `remit night --json`; null if it printed nothing. */
  readonly summary: string | null;
}

const COLUMNS = [
  'run',
  'merchant',
  'attempt',
  'cell',
  'started_at',
  'finished_at',
  'exit_code',
  'reason',
  'said',
  'is_done',
  'is_checked',
] as const satisfies readonly (keyof NightRow)[];

interface NightSchema {
  'fleet.run': {
    readonly id: number;
    readonly begun_at: string;
    /** As JSON. */
    readonly merchants: string;
    readonly ended_at: string | null;
  };
  'fleet.night': KeptNight & { readonly id: Generated<number> };
  /** The processes that run nights. Each counts up `beat` for as long as it lives. */
  'fleet.worker': { readonly id: string; readonly machine: string; readonly pid: number; readonly beat: number };
}

/** A run of the fleet: one night for each of its merchants. */
export interface NightRun {
  readonly id: number;
  readonly begun_at: string;
  readonly merchants: readonly string[];
}

/** How old an interrupted run may be to be continued; after that, a new one begins. */
const CONTINUED_MS = 12 * 3_600_000;

/** The fleet's runs, nights and workers, in a database that several machines share, or in a file. */
export class Nights {
  readonly #db: Kysely<NightSchema>;
  /** Connections of the database; null for a file. */
  readonly pool: Pool | null;

  private constructor(db: Kysely<NightSchema>, pool: Pool | null) {
    this.#db = db;
    this.pool = pool;
  }

  /** Opens the store, lends it, and closes it. @throws LedgerError if its server does not answer */
  static async using<T>(place: Place, use: (nights: Nights) => Promise<T>): Promise<T> {
    const { db, pool } = place.kind === 'file' ? { db: openFile(place.file), pool: null } : await openServer(place);
    try {
      await db.transaction().execute(async (trx) => {
        if (pool) await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
        await makeTables(trx, pool !== null);
      });
      return await use(new Nights(db, pool));
    } catch (error) {
      throw (await dialectOf(place)).explain(error, place);
    } finally {
      await db.destroy();
    }
  }

  /** Begins a run, or continues the one that is under way or was interrupted less than twelve hours ago. */
  async begin(merchants: readonly string[], now: Date): Promise<NightRun> {
    return this.#db.transaction().execute(async (trx) => {
      if (this.pool) await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
      const last = await trx.selectFrom('fleet.run').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst();
      const isOpen = last && last.ended_at === null && now.getTime() - Date.parse(last.begun_at) < CONTINUED_MS;
      if (isOpen) return { ...last, merchants: JSON.parse(last.merchants) as string[] };
      const run = { id: (last?.id ?? 0) + 1, begun_at: now.toISOString(), merchants };
      await trx
        .insertInto('fleet.run')
        .values({ ...run, merchants: JSON.stringify(merchants), ended_at: null })
        .execute();
      return run;
    });
  }

  /** Marks a run as ended: no night of it is left to do. */
  async end(run: number, now: Date): Promise<void> {
    const ended = { ended_at: now.toISOString() };
    await this.#db.updateTable('fleet.run').set(ended).where('id', '=', run).where('ended_at', 'is', null).execute();
  }

  /** Stores a night; an attempt that is already stored stays as it is. */
  async keep(night: KeptNight): Promise<void> {
    await this.#db
      .insertInto('fleet.night')
      .values(night)
      .onConflict((conflict) => conflict.columns(['run', 'merchant', 'attempt']).doNothing())
      .execute();
  }

  /** The last attempt of each merchant in a run. */
  ofRun(run: number): Promise<NightRow[]> {
    return this.#lastOfEach(sql<SqlBool>`run = ${run}`);
  }

  /** The last night of each merchant, and the last one that checked its books. */
  async last(): Promise<{ readonly last: NightRow[]; readonly checked: NightRow[] }> {
    return { last: await this.#lastOfEach(), checked: await this.#lastOfEach(sql<SqlBool>`is_checked = 1`) };
  }

  /** The last of each merchant's nights that fit the condition. */
  #lastOfEach(isWanted = sql<SqlBool>`1 = 1`): Promise<NightRow[]> {
    const isLast = sql<SqlBool>`id in (select max(id) from fleet.night where ${isWanted} group by merchant)`;
    return this.#db.selectFrom('fleet.night').select(COLUMNS).where(isLast).execute();
  }

  /** Stores how far a worker has counted. */
  async beat(worker: NightSchema['fleet.worker']): Promise<void> {
    const { beat } = worker;
    await this.#db
      .insertInto('fleet.worker')
      .values(worker)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ beat }))
      .execute();
  }

  workers(): Promise<NightSchema['fleet.worker'][]> {
    return this.#db.selectFrom('fleet.worker').selectAll().execute();
  }

  async forget(worker: string): Promise<void> {
    await this.#db.deleteFrom('fleet.worker').where('id', '=', worker).execute();
  }
}

/** Any number that nothing else in the fleet's database takes. */
const LOCK = 7_236_481;

async function makeTables(db: Kysely<NightSchema>, isServer: boolean): Promise<void> {
  if (isServer) await sql`create schema if not exists fleet`.execute(db);
  const id = sql.raw(isServer ? 'bigint generated always as identity primary key' : 'integer primary key');
  await sql`create table if not exists fleet.run (
    id integer primary key, begun_at text not null, merchants text not null, ended_at text)`.execute(db);
  await sql`create table if not exists fleet.night (
    id ${id}, run integer not null, merchant text not null, attempt integer not null, cell text not null,
    started_at text not null, finished_at text not null, exit_code integer, reason text, said text, summary text,
    is_done integer not null, is_checked integer not null, unique (run, merchant, attempt))`.execute(db);
  const index = sql.raw(isServer ? 'night_of_merchant' : 'fleet.night_of_merchant');
  const table = sql.raw(isServer ? 'fleet.night' : 'night');
  await sql`create index if not exists ${index} on ${table} (merchant, id)`.execute(db);
  await sql`create table if not exists fleet.worker (
    id text primary key, machine text not null, pid integer not null, beat integer not null)`.execute(db);
}

/** Attaches the file under the name of the server's schema, so that the same queries serve both. */
function openFile(file: string): Kysely<NightSchema> {
  const handle = openDatabase(':memory:');
  openDatabase(file).close();
  handle.prepare('attach database ? as fleet').run(file);
  handle.pragma('fleet.journal_mode = wal');
  handle.pragma('fleet.synchronous = full');
  handle.pragma('busy_timeout = 30000');
  return new Kysely<NightSchema>({ dialect: ledgerSqliteDialect(handle) });
}

async function openServer(place: Extract<Place, { kind: 'server' }>): Promise<{ db: Kysely<NightSchema>; pool: Pool }> {
  // Without the ledger's parsers of types: no column that is read here needs them.
  const [{ default: pg }, { types: _, ...config }, Client] = await Promise.all([
    import('pg'),
    findHost(place, 'writer').then(clientConfig),
    patientClient(),
  ]);
  const pool = new pg.Pool({
    ...config,
    Client,
    application_name: 'remit fleet',
    max: MOST_CONNECTIONS,
  } as ConstructorParameters<typeof pg.Pool>[0]);
  // A connection that breaks while nobody uses it is replaced by the next one.
  pool.on('error', () => {});
  return { db: new Kysely<NightSchema>({ dialect: new PostgresDialect({ pool }) }), pool };
}

const MOST_CONNECTIONS = 4;

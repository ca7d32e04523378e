import { existsSync, realpathSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { Kysely, type RawBuilder, sql } from 'kysely';
import { sizeText } from '../../../base/counted.ts';
import { LedgerError, RemitError } from '../../../base/errors.ts';
import type { FilePlace } from '../../../base/place.ts';
import { describeBinding } from '../../../base/sqlite.ts';
import { SumRangeError } from '../../../money/sum.ts';
import { disksError } from '../../../words/errors/disks.ts';
import type { LedgerDb, LedgerSchema } from '../../schema.ts';
import type { Connection, DamageDepth, Examined, LedgerDialect, LedgerLock, SchemaObject } from '../dialect.ts';
import { CACHE_KB, openSqlite, READING_CACHE_KB, sqliteMigrations } from './database.ts';
import { ledgerSqliteDialect } from './driver.ts';
import { courierLockFiles, lockFile, takeLock, takeWholeLock } from './lock.ts';

/** The id of an error's sentence, by the beginning of SQLite's code. */
const SENTENCE_IDS = {
  SQLITE_NOTADB: 'no-ledger-file',
  SQLITE_CORRUPT: 'damaged',
  SQLITE_FULL: 'disk-full',
  SQLITE_CANTOPEN: 'cannot-be-opened',
  SQLITE_READONLY: 'read-only',
  SQLITE_PERM: 'not-accessible',
  SQLITE_BUSY: 'busy',
  SQLITE_IOERR: 'disk-failed',
} as const;

/** Turns a failure of SQLite into an error that names the file and the remedy; anything else is returned as it came. */
function explainLedgerFault(error: unknown, file: string): unknown {
  if (error instanceof RemitError || !(error instanceof Error)) return error;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== 'string') return error;
  const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  // If the ledger is there, SQLite could not make its journal next to it: the folder, or the whole disk, is read-only.
  const effectiveCode = code.startsWith('SQLITE_CANTOPEN') && isThere ? 'SQLITE_READONLY' : code;
  const beginning = (Object.keys(SENTENCE_IDS) as (keyof typeof SENTENCE_IDS)[]).find((prefix) =>
    effectiveCode.startsWith(prefix),
  );
  if (beginning) return new LedgerError(disksError({ id: SENTENCE_IDS[beginning], file }), { cause: error });
  if (error.message === 'integer overflow') return new SumRangeError({ ledger: file }, undefined, { cause: error });
  if (code.startsWith('SQLITE_')) {
    return new LedgerError(disksError({ id: 'sqlite-says', file, message: error.message }), { cause: error });
  }
  return error;
}

const MOST_PROBLEMS = 100;

async function findDamage({ db }: Connection, depth: DamageDepth): Promise<string[]> {
  const damage = depth === 'references' ? [] : await findDamagedPages(db, depth);
  const orphans = sql<{ table: string; rowid: number | null; parent: string }>`pragma foreign_key_check`;
  for (const { table, rowid, parent } of (await orphans.execute(db)).rows.slice(0, MOST_PROBLEMS)) {
    damage.push(`a row of ${table}${rowid === null ? '' : ` (${rowid})`} points to no ${parent}`);
  }
  return damage;
}

async function findDamagedPages(db: Connection['db'], depth: 'pages' | 'indexes'): Promise<string[]> {
  const check = sql.raw(`pragma ${depth === 'indexes' ? 'integrity_check' : 'quick_check'}(${MOST_PROBLEMS})`);
  const { rows } = await sql<Record<string, string>>`${check}`.execute(db);
  return rows.flatMap((row) => Object.values(row)).filter((line) => line !== 'ok');
}

export const sqlite: LedgerDialect<FilePlace> = {
  migrations: sqliteMigrations,
  opensMissing: false,

  async exists({ file }) {
    return existsSync(file);
  },

  async open({ file }, options) {
    const { handle, release } = openSqlite(file, options);
    const db = new Kysely<LedgerSchema>({ dialect: ledgerSqliteDialect(handle) });
    return {
      db,
      async refuseWrites() {
        await sql`pragma query_only = on`.execute(db);
      },
      async beginSnapshot(connection) {
        await setCacheSize(connection, READING_CACHE_KB);
        await sql`begin deferred`.execute(connection);
      },
      async endSnapshot(connection) {
        await sql`rollback`.execute(connection);
        await setCacheSize(connection, CACHE_KB);
      },
      async close() {
        if (!options.readOnly) await analyse(db).catch(() => {});
        await db.destroy();
        release();
      },
    };
  },

  lock: async ({ file }, work, waitMs, courier) => lockOf(takeLock(file, work, waitMs, courier), courier),

  /**
   * The whole ledger's lock also keeps other migrations out, so its holder takes none besides. The holder of a
   * courier's lock takes the whole ledger's, and does not try couriers' locks, because it holds one of them.
   */
  async lockMigration({ file }, held) {
    if (held === null) return lockOf(takeLock(file, 'migration', MIGRATION_WAIT_MS));
    return held.isOfCourier ? lockOf(takeWholeLock(file, 'migration', MIGRATION_WAIT_MS)) : { async release() {} };
  },

  tables: sql`select name from sqlite_master where type = 'table'`,

  async describe({ db }: Connection) {
    // `automatic`: the index that SQLite makes for a key has no SQL.
    const objects = await sql<SchemaObject>`
      select type || ' ' || name as name, coalesce(sql, 'automatic') as definition from sqlite_master
      where tbl_name not in ('kysely_migration', 'kysely_migration_lock') and tbl_name not like 'sqlite_stat%'
      order by 1`.execute(db);
    return objects.rows;
  },

  async describeNew(_place, migrate) {
    // Only in memory, so that nothing has to be thrown away.
    const place = { kind: 'file', file: ':memory:' } as const;
    const connection = await sqlite.open(place, { create: true, scratch: true, lock: null });
    try {
      await migrate(connection.db);
      return await sqlite.describe(connection);
    } finally {
      await connection.close();
    }
  },

  findDamage,

  async copyToFile({ file }, copy) {
    const { handle, release } = openSqlite(file, { readOnly: true });
    try {
      await handle.backup(copy);
    } finally {
      handle.close();
      release();
    }
  },

  withoutTriggers: (db, tables, work) => whileDropped(db, 'trigger', sql`tbl_name in (${sql.join(tables)})`, work),

  async examine({ file }) {
    return [{ name: 'sqlite', ok: true, message: describeBinding(), remedy: null }, await examineDisk(file)];
  },

  /** Never: writers run one after the other, so what a writer has read stays current. */
  isConflict: () => false,

  explain: (error, { file }) => explainLedgerFault(error, file),
};

/**
 * Has `work` fill the tables of a new file in one transaction. A failure leaves a file that is thrown away, so no
 * journal is kept on disk. Indexes are made when the tables are full. References are not checked here: the caller looks
 * for damage.
 */
export async function fillTables<T>(db: LedgerDb, work: (transaction: LedgerDb) => Promise<T>): Promise<T> {
  await sql`pragma journal_mode = memory`.execute(db);
  await sql`pragma foreign_keys = off`.execute(db);
  return db
    .transaction()
    .execute((transaction) => whileDropped(transaction, 'index', sql`sql is not null`, () => work(transaction)));
}

/** Runs `work` while its transaction lacks these triggers or indexes. If it fails, the rollback brings them back. */
async function whileDropped<T>(
  transaction: LedgerDb,
  type: 'trigger' | 'index',
  which: RawBuilder<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { rows } = await sql<SchemaObject>`
    select name, sql as definition from sqlite_master
    where type = ${type} and ${which} order by rowid`.execute(transaction);
  for (const { name } of rows) await sql`drop ${sql.raw(type)} ${sql.id(name)}`.execute(transaction);
  const result = await work();
  for (const { definition } of rows) await sql.raw(definition).execute(transaction);
  return result;
}

/** All files of a ledger, the ledger itself first. */
export function ledgerFiles(file: string): string[] {
  const real = existsSync(file) ? realpathSync(file) : file;
  const lock = lockFile(file);
  return [file, ...SIDE_FILES.map((ending) => real + ending), lock, ...courierLockFiles(lock)];
}

async function examineDisk(file: string): Promise<Examined> {
  const folder = path.dirname(file);
  if (!existsSync(folder)) {
    const remedy = 'Make it, or correct the path of the ledger.';
    return { name: 'disk', ok: false, message: `there is no folder ${folder}`, remedy };
  }
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  // Room for the ledger to double, which a backup or a large first sync may need.
  const wanted = Math.max(LEAST_FREE_BYTES, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  const ok = free >= wanted;
  const remedy = ok ? null : `Free at least ${sizeText(wanted)}.`;
  return { name: 'disk', ok, message: `${sizeText(free)} free in ${folder}`, remedy };
}

const LEAST_FREE_BYTES = 200e6;
const MIGRATION_WAIT_MS = 30_000;
/** The endings of the files that SQLite keeps next to a database while it works. */
const SIDE_FILES = ['-wal', '-shm', '-journal'];

/** A connection refreshes the statistics if it changed so many rows, and at least a tenth of the largest table. */
const MANY_ROWS = 1_000;

/**
 * Refreshes the statistics. Without them SQLite takes `courier = ?` to be as selective as any other condition, and
 * reads all of a courier's orders for each invoice. They are for speed alone: if another command holds the ledger, it
 * goes without.
 */
async function analyse(db: Connection['db']): Promise<void> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db);
  const changes = Number(rows[0]?.changes ?? 0);
  if (changes < MANY_ROWS || changes * 10 < (await readLargestTableSize(db))) return;
  await sql`pragma busy_timeout = 0`.execute(db);
  await sql`analyze`.execute(db);
}

/** How many rows the largest table had at the last statistics; 0 if there are none yet. */
async function readLargestTableSize(db: Connection['db']): Promise<number> {
  const tables = await sql`select 1 from sqlite_master where name = 'sqlite_stat1'`.execute(db);
  if (tables.rows.length === 0) return 0;
  const { rows } = await sql<{ most: number | null }>`
    select max(cast(stat as integer)) as most from sqlite_stat1`.execute(db);
  return Number(rows[0]?.most ?? 0);
}

async function setCacheSize(connection: Connection['db'], kilobytes: number): Promise<void> {
  await sql`pragma cache_size = ${sql.raw(`-${kilobytes}`)}`.execute(connection);
}

function lockOf(release: () => void, courier?: string): LedgerLock {
  return {
    isOfCourier: courier !== undefined,
    async release() {
      release();
    },
  };
}

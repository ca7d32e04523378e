import { existsSync } from 'node:fs';
import { Kysely, sql } from 'kysely';
import type { FilePlace } from '../../place.ts';
import type { LedgerSchema } from '../../schema.ts';
import type { Connection, LedgerDialect } from '../dialect.ts';
import { findDamage } from './damage.ts';
import { openSqlite } from './database.ts';
import { LedgerSqliteDialect } from './driver.ts';
import { explainLedgerFault } from './faults.ts';
import { takeLock } from './lock.ts';
import { sqliteMigrations } from './migrations.ts';

/** A ledger in one file of this machine. */
export const sqlite: LedgerDialect<FilePlace> = {
  migrations: sqliteMigrations,

  async exists({ file }) {
    return existsSync(file);
  },

  async open({ file }, options) {
    const { handle, release } = openSqlite(file, options);
    const db = new Kysely<LedgerSchema>({ dialect: new LedgerSqliteDialect(handle) });
    return {
      db,
      async beginSnapshot(connection) {
        await sql`begin deferred`.execute(connection);
      },
      async close() {
        await db.destroy();
        release();
      },
    };
  },

  async lock({ file }, waitMs) {
    const release = takeLock(file, waitMs);
    return async () => release();
  },

  async tableNames({ db }: Connection) {
    const tables = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db);
    return tables.rows.map(({ name }) => name);
  },

  async describe({ db }: Connection) {
    const objects = await sql<{ name: string; definition: string }>`
      select type || ' ' || name as name, coalesce(sql, 'automatic') as definition from sqlite_master
      where tbl_name not in ('kysely_migration', 'kysely_migration_lock') order by 1`.execute(db);
    return objects.rows;
  },

  async describeNew(migrate) {
    const place = { kind: 'file', file: ':memory:' } as const;
    const connection = await sqlite.open(place, { create: true, readOnly: false, scratch: true });
    try {
      await migrate(connection, place);
      return await sqlite.describe(connection);
    } finally {
      await connection.close();
    }
  },

  findDamage,

  async copyToFile({ file }, copy) {
    const { handle, release } = openSqlite(file, { create: false, readOnly: true, scratch: false });
    try {
      await handle.backup(copy);
    } finally {
      handle.close();
      release();
    }
  },

  explain: (error, { file }) => explainLedgerFault(error, file),
};

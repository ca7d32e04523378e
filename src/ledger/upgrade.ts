import path from 'node:path';
import { Migrator, sql } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import { CHANGES_ROWS } from '../../migrations/names.ts';
import { LedgerError } from '../base/errors.ts';
import { describePlace, type FilePlace, type Place } from '../base/place.ts';
import { ledgerError } from '../words/errors/ledger.ts';
import { copyRows } from './copy-rows.ts';
import { wholeLedger } from './courier.ts';
import { dialectOf, fillTables } from './dialect/index.ts';
import { usingSnapshot } from './queries/snapshot.ts';
import { replaceLedgerFile } from './replace-file.ts';
import type { LedgerDb } from './schema.ts';
import { type Opened, pendingMigrations, readSchemaState, tableNames } from './schema-state.ts';
import { ALL_TABLES, type TableShapes } from './tables.ts';

/** How a ledger of an earlier remit is upgraded when it is opened. */
export interface Upgrading {
  /** The folder for a copy of the ledger as it was; the folder of the ledger's file when absent. */
  readonly copiesIn?: string | undefined;
  /** Derives every row again, in the migrations' transaction, if this remit makes other rows of the same evidence. */
  readonly deriveAnew?: (db: LedgerDb, place: Place) => Promise<unknown>;
  /** Called once the ledger is upgraded. @param copy the file with the ledger as it was */
  readonly upgraded?: (copy: string) => void;
}

/**
 * Makes the schema of a new ledger, or upgrades a ledger of an earlier remit. That one is first copied whole to a file,
 * which the earlier remit can open: there is no other way back. Call it while you hold the lock of the migrations.
 *
 * @returns the copy's file; null if there was nothing to copy
 * @throws LedgerError when the copy cannot be made, or a migration fails: the ledger is as it was
 */
export async function upgrade({ place, connection }: Opened, { copiesIn, deriveAnew }: Upgrading) {
  // Read again: another process may have upgraded it while this one waited for the lock.
  const { applied } = await readSchemaState({ place, connection });
  const pending = pendingMigrations(applied);
  const [next] = pending;
  if (next === undefined) return null;
  const last = applied.at(-1);
  const target = { place, db: connection.db };
  if (last === undefined) {
    // A new ledger.
    await migrate(target);
    return null;
  }
  const copy = fileOfCopy(place, next, copiesIn);
  await replaceLedgerFile(copy, (file) => copyAsItIs({ place, connection }, file, last));
  await migrateWith(target, async (db) => {
    // After most migrations, the same evidence gives the same rows as before.
    if (!pending.some((name) => CHANGES_ROWS.includes(name))) return;
    if (!deriveAnew) throw new Error('this upgrade needs `deriveAnew`');
    await deriveAnew(db, place);
  });
  return copy;
}

/** `ledger.before-0002.db`, in the ledger's folder, or for a ledger on a server in the folder of the books. */
function fileOfCopy(place: Place, next: string, copiesIn: string | undefined): string {
  const name = `before-${next.slice(0, 4)}.db`;
  if (place.kind === 'file') {
    const { dir, name: ledger } = path.parse(place.file);
    return path.join(copiesIn ?? dir, `${ledger}.${name}`);
  }
  if (copiesIn === undefined) {
    throw new LedgerError(ledgerError({ id: 'of-earlier-version', ledger: describePlace(place) }));
  }
  return path.join(copiesIn, `ledger.${name}`);
}

/** Writes a ledger to an empty file, in the schema of the earlier remit. @param last that remit's last migration */
async function copyAsItIs({ place, connection }: Opened, file: string, last: string): Promise<void> {
  const dialect = await dialectOf(place);
  const { copyToFile } = dialect;
  if (copyToFile) return copyToFile(place, file);
  const target: FilePlace = { kind: 'file', file };
  const copy = await (await dialectOf(target)).open(target, { create: true, lock: null });
  try {
    await migrate({ place: target, db: copy.db }, { last });
    const tables = shapesOf(await tableNames(dialect, connection));
    await usingSnapshot({ db: connection.db, connection }, (reader) =>
      fillTables(copy.db, (transaction) => copyRows(reader, transaction, file, tables)),
    );
  } finally {
    await copy.close();
  }
}

/** The shapes of an earlier schema's tables, parents before children: `tables.ts` keeps the lines of dropped tables. */
function shapesOf(names: readonly string[]): TableShapes {
  const unknown = names.find((table) => !(table in ALL_TABLES) && !table.startsWith('kysely_'));
  if (unknown !== undefined) throw new Error(`tables.ts does not say how the table ${unknown} is read`);
  return Object.fromEntries(Object.entries(ALL_TABLES).filter(([table]) => names.includes(table)));
}

interface Target {
  readonly place: Place;
  readonly db: LedgerDb;
}

interface MigrateOptions {
  /** The last migration to apply; all when absent. */
  readonly last?: string | undefined;
  /** Whether `db` is an open transaction already; if not, the migrations open one. */
  readonly isInTransaction?: boolean;
}

/** Applies migrations, all of them or none. @throws LedgerError when one fails: the ledger is as it was */
export async function migrate(
  { place, db }: Target,
  { last, isInTransaction = false }: MigrateOptions = {},
): Promise<void> {
  const dialect = await dialectOf(place);
  const migrator = new Migrator({
    db: wholeLedger(db),
    disableTransactions: isInTransaction,
    provider: { getMigrations: async () => migrations(dialect.migrations) },
  });
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (!error) return;
  // A failure that the dialect knows, such as a full disk, says more than that a migration failed.
  const explained = dialect.explain(error, place);
  if (explained !== error) throw explained;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName ?? 'a migration';
  const why = (error as Error).message;
  const said = ledgerError({ id: 'not-brought-up', ledger: describePlace(place), migration: failed, why });
  throw new LedgerError(said, { cause: error });
}

/** Applies migrations and does `work` in one transaction: all of it happens, or nothing does. */
export function migrateWith<T>({ place, db }: Target, work: (connection: LedgerDb) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      await migrate({ place, db: connection }, { isInTransaction: true });
      const result = await work(connection);
      await sql`commit`.execute(connection);
      return result;
    } catch (error) {
      // If the database is gone this fails too, and the first error is the one to report.
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

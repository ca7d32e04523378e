import { type Kysely, Migrator } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import { LedgerError } from '../errors.ts';
import { describePlace, type Place, placeOf } from '../place.ts';
import {
  type Connection,
  dialectOf,
  type Examined,
  type LedgerDialect,
  type LedgerLock,
  type SchemaObject,
} from './dialect/index.ts';
import type { LedgerSchema } from './schema.ts';

/** An open ledger. Get one from {@link usingLedger}, which closes it. */
export interface Ledger {
  readonly place: Place;
  /** The place as messages name it, without a password. */
  readonly name: string;
  readonly db: Kysely<LedgerSchema>;
  readonly connection: Connection;
}

/** An open transaction: what is written through it lands whole or not at all. */
export type LedgerTransaction = Kysely<LedgerSchema>;

export interface OpenOptions {
  /** Make the ledger when it is not there (sync does); otherwise a missing one is an error. */
  readonly create?: boolean;
  /** Hold the lock for as long as the ledger is open, so that no second sync, import or close starts (exit 4). */
  readonly exclusive?: boolean;
  /** Nothing will be written: a ledger where writing is not allowed opens all the same. */
  readonly readOnly?: boolean;
  /** It is thrown away afterwards: see {@link usingScratchLedger}. */
  readonly scratch?: boolean;
}

/**
 * Opens a ledger, brings its schema up to date, lends it to `use`, and closes it whatever happens.
 *
 * @param where a place, or the text of the setting that names one
 * @throws LedgerError when it is missing, damaged, no ledger, of a newer version, or its folder is read-only or full
 * @throws LedgerBusyError when `exclusive` and another sync is at work
 */
export async function usingLedger<T>(
  where: Place | string,
  options: OpenOptions,
  use: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const place = typeof where === 'string' ? placeOf(where) : where;
  const name = describePlace(place);
  const dialect = dialectOf(place);
  let lock: LedgerLock | null = null;
  let connection: Connection | undefined;
  try {
    if (!options.create && !(await dialect.exists(place))) {
      throw new LedgerError(
        `there is no ledger at ${name}`,
        'Run `remit sync` first, or name another books folder with -C.',
      );
    }
    if (options.exclusive) lock = await dialect.lock(place, 0);
    connection = await dialect.open(place, {
      create: options.create ?? false,
      readOnly: options.readOnly ?? false,
      scratch: options.scratch ?? false,
      lock,
    });
    if (!(await isCurrent(dialect, connection, name))) {
      const migration = await dialect.lockMigration(place, lock);
      try {
        await migrateToLatestOrThrow(dialect, connection, place);
      } finally {
        await migration.release();
      }
    }
    return await use({ place, name, db: connection.db, connection });
  } catch (error) {
    throw dialect.explain(error, place);
  } finally {
    await connection?.close();
    await lock?.release();
  }
}

/** Whether every migration is applied. @throws LedgerError for a foreign database or a newer ledger */
async function isCurrent(dialect: LedgerDialect, connection: Connection, name: string): Promise<boolean> {
  const tables = await dialect.tableNames(connection);
  if (tables.length === 0) return false;
  if (!tables.includes('kysely_migration')) {
    throw new LedgerError(
      `${name} is a database, but not a remit ledger`,
      'Point REMIT_LEDGER (or `ledger` in remit.toml) at a ledger, or at a place that holds nothing yet.',
    );
  }
  const known = Object.keys(migrations(dialect.migrations));
  const applied = await (connection.db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute();
  const unknown = applied.find((migration) => !known.includes(migration.name));
  if (unknown) {
    throw new LedgerError(
      `${name} was made by a newer remit (it holds ${unknown.name})`,
      'Update remit on this machine, or use the newer one; nothing was changed.',
    );
  }
  return applied.length === known.length;
}

/** Whether there is anything at a place. @throws LedgerError when its server cannot be asked */
export async function ledgerExists(place: Place): Promise<boolean> {
  try {
    return await dialectOf(place).exists(place);
  } catch (error) {
    throw dialectOf(place).explain(error, place);
  }
}

/** What is to be said of a place itself, a line each: its room, the way to it, the rights there. @throws LedgerError when its server cannot be asked */
export async function examinePlace(place: Place): Promise<Examined[]> {
  try {
    return await dialectOf(place).examine(place);
  } catch (error) {
    throw dialectOf(place).explain(error, place);
  }
}

/** The files that a place is made of, the ledger itself first; none for a server. */
export function filesOf(place: Place): readonly string[] {
  return dialectOf(place).filesOf(place);
}

/** Every table, view, index and trigger of a ledger, as its database describes them. */
export function describeSchema({ place, connection }: Ledger): Promise<SchemaObject[]> {
  return dialectOf(place).describe(connection);
}

/** The same of a new ledger in the same database. */
export function describeNew(place: Place): Promise<SchemaObject[]> {
  const dialect = dialectOf(place);
  return dialect.describeNew(place, (connection) => migrateToLatestOrThrow(dialect, connection, place));
}

/** Looks for damage below a ledger's rows. @returns a sentence a problem; empty when it is sound */
export function findDamage({ place, connection }: Ledger, thorough = false): Promise<string[]> {
  return dialectOf(place).findDamage(connection, thorough);
}

async function migrateToLatestOrThrow(dialect: LedgerDialect, { db }: Connection, place: Place): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations(dialect.migrations) },
  });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const explained = dialect.explain(error, place);
  if (explained !== error) throw explained;
  const failed = results?.find((r) => r.status === 'Error')?.migrationName ?? 'a migration';
  throw new LedgerError(
    `${describePlace(place)} could not be brought up to date: ${failed} failed: ${(error as Error).message}`,
    'The ledger was left as it was. Keep a copy and report this.',
    { cause: error },
  );
}

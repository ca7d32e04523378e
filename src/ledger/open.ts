import { type Kysely, Migrator } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import { LedgerError } from '../base/errors.ts';
import { describePlace, type Place, placeOf } from '../base/place.ts';
import { ofCourier, SOLE_COURIER, wholeLedger } from './courier.ts';
import {
  type Connection,
  dialectOf,
  type Examined,
  type LedgerDialect,
  type LedgerLock,
  type SchemaObject,
  type Work,
} from './dialect/index.ts';
import type { LedgerSchema } from './schema.ts';

/** An open ledger. Get one from {@link usingLedger}, which closes it. */
export interface Ledger {
  readonly place: Place;
  /** The place as messages name it, without a password. */
  readonly name: string;
  /** Narrowed to one courier: see {@link ofCourier}. */
  readonly db: Kysely<LedgerSchema>;
  readonly connection: Connection;
}

/** An open transaction: what is written through it lands whole or not at all. */
export type LedgerTransaction = Kysely<LedgerSchema>;

export interface OpenOptions {
  /** Make the ledger when it is not there (sync does); otherwise a missing one is an error. */
  readonly create?: boolean;
  /** Hold the lock for as long as the ledger is open, for this work: no second sync, import or close starts (exit 4). */
  readonly exclusive?: Work | undefined;
  /** Nothing will be written: a ledger where writing is not allowed opens all the same. */
  readonly readOnly?: boolean;
  /** A new place is lent without a schema: `use` makes it together with the rows. */
  readonly isFilledFirst?: boolean;
  /** The key of the courier whose rows are read and written; that of the sole courier when absent. */
  readonly courier?: string | undefined;
  /** It is thrown away afterwards: see {@link usingScratchLedger}. */
  readonly scratch?: boolean;
}

/**
 * Opens a ledger, brings its schema up to date, lends it to `use`, and closes it whatever happens.
 *
 * @param where a place, or the text of the setting that names one
 * @throws LedgerError when it is missing, damaged, no ledger, of a newer version, or its folder is read-only or full
 * @throws LedgerBusyError when `exclusive` and another command is at work
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
    if (options.exclusive) lock = await dialect.lock(place, options.exclusive, 0);
    connection = await dialect.open(place, {
      create: options.create ?? false,
      readOnly: options.readOnly ?? false,
      scratch: options.scratch ?? false,
      lock,
    });
    const isCurrent = await isUpToDate(dialect, connection, name);
    const isLeftToUse = options.isFilledFirst && (await dialect.tableNames(connection)).length === 0;
    if (!isCurrent && !isLeftToUse) {
      const migration = await dialect.lockMigration(place, lock);
      try {
        await migrateToLatest({ place, db: connection.db });
      } finally {
        await migration.release();
      }
    }
    const db = ofCourier(connection.db, options.courier ?? SOLE_COURIER);
    return await use({ place, name, db, connection });
  } catch (error) {
    throw dialect.explain(error, place);
  } finally {
    await connection?.close();
    await lock?.release();
  }
}

/** Whether every migration is applied. @throws LedgerError for another program's database, a newer ledger, or one from before 1.0 */
async function isUpToDate(dialect: LedgerDialect, connection: Connection, name: string): Promise<boolean> {
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
  if (applied.length > 0 && !applied.some(({ name }) => name === known[0])) {
    throw new LedgerError(
      `${name} was made by a development version of remit, before 1.0, and cannot be read by this one`,
      'Make a new books folder with `remit init` and sync there, or name another ledger; the old one is left as it is.',
    );
  }
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
  return dialect.describeNew(place, ({ db }) => migrateToLatest({ place, db }));
}

/** Looks for damage below a ledger's rows. @returns a sentence a problem; empty when it is sound */
export function findDamage({ place, connection }: Ledger, thorough = false): Promise<string[]> {
  return dialectOf(place).findDamage(connection, thorough);
}

/**
 * Brings a ledger's schema up to date.
 *
 * @param connection a connection in an open transaction, for a migration that is a part of it; absent for one of its own
 */
export async function migrateToLatest(
  { place, db }: Pick<Ledger, 'place' | 'db'>,
  connection?: Kysely<LedgerSchema>,
): Promise<void> {
  const dialect = dialectOf(place);
  const migrator = new Migrator({
    db: wholeLedger(connection ?? db),
    disableTransactions: connection !== undefined,
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

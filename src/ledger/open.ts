import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { LedgerBusyError, LedgerError } from '../base/errors.ts';
import { describePlace, type Place, placeOf } from '../base/place.ts';
import { because } from '../words/errors/ledger.ts';
import { ofCourier, SOLE_COURIER } from './courier.ts';
import type { Connection, Examined, LedgerDialect, LedgerLock, SchemaObject } from './dialect/dialect.ts';
import { dialectOf } from './dialect/index.ts';
import type { Work } from './dialect/lock-holder.ts';
import type { LedgerSchema } from './schema.ts';
import { pendingMigrations, readSchemaState, tableNames } from './schema-state.ts';
import type { Upgrading } from './upgrade.ts';

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

export interface OpenOptions extends Upgrading {
  /** Make the ledger when it is not there (sync does); otherwise a missing one is an error. */
  readonly create?: boolean;
  /** Hold the lock for as long as the ledger is open, for this work: no second sync, import or close starts (exit 4). */
  readonly exclusive?: Work | undefined;
  /** The key of the one courier that the exclusive work is of: that of other couriers may go on. */
  readonly exclusiveOf?: string | undefined;
  /** Nothing is written, and SQLite refuses to: a ledger where writing is not allowed opens all the same. */
  readonly readOnly?: boolean;
  /** A file is opened so that this program could not write to it at all: one of an earlier remit is refused. */
  readonly holdsReadOnly?: boolean;
  /** A new place is lent without a schema: `use` makes it together with the rows. */
  readonly isFilledFirst?: boolean;
  /** Tables may be missing: it is opened to say what is wrong with it. */
  readonly isExamined?: boolean;
  /** The key of the courier whose rows are read and written; that of the sole courier when absent. */
  readonly courier?: string | undefined;
  /** How long a statement waits, without anything else being done, for another writer's transaction. */
  readonly busyMs?: number;
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
  const dialect = await dialectOf(place);
  let lock: LedgerLock | null = null;
  let connection: Connection | undefined;
  try {
    const requireThere = async () => {
      if (await dialect.exists(place)) return;
      throw new LedgerError(because({ id: 'no-ledger', ledger: name }));
    };
    const isSeenOnceOpen = dialect.opensMissing && !options.exclusive;
    if (!options.create && !isSeenOnceOpen) await requireThere();
    if (options.exclusive) lock = await lockFor(dialect, place, options.exclusive, options.exclusiveOf);
    connection = await dialect.open(place, {
      create: options.create ?? false,
      readOnly: options.readOnly ?? false,
      holdsReadOnly: options.holdsReadOnly ?? false,
      scratch: options.scratch ?? false,
      lock,
      busyMs: options.busyMs ?? (lock?.isOfCourier ? AMONG_OTHERS_MS : undefined),
    });
    const { applied, lacking, isEmpty } = await readSchemaState({ place, connection });
    if (isEmpty && !options.create && isSeenOnceOpen) await requireThere();
    if (lacking.length > 0 && !options.isExamined) {
      throw new LedgerError(because({ id: 'lacks-tables', ledger: name, tables: lacking }));
    }
    const isCurrent = pendingMigrations(applied).length === 0;
    const isLeftToUse = options.isFilledFirst && (await tableNames(dialect, connection)).length === 0;
    if (!isCurrent && !isLeftToUse) {
      if (options.holdsReadOnly) throw new LedgerError(because({ id: 'of-earlier-version', ledger: name }));
      const { upgrade } = await import('./upgrade.ts');
      const migration = await dialect.lockMigration(place, lock);
      try {
        const copy = await upgrade({ place, connection }, options);
        if (copy !== null) options.upgraded?.(copy);
      } finally {
        await migration.release();
      }
    }
    if (options.readOnly) await connection.refuseWrites?.();
    const db = ofCourier(connection.db, options.courier ?? SOLE_COURIER);
    return await use({ place, name, db, connection });
  } catch (error) {
    throw dialect.explain(error, place);
  } finally {
    await connection?.close();
    await lock?.release();
  }
}

/** Orders that webhooks named are stored in a moment: nothing that somebody runs fails for that. */
async function lockFor(dialect: LedgerDialect, place: Place, work: Work, courier?: string): Promise<LedgerLock> {
  for (const until = Date.now() + WEBHOOKS_MS; ; await sleep(50)) {
    try {
      return await dialect.lock(place, work, 0, courier);
    } catch (error) {
      const holder = error instanceof LedgerBusyError ? error.explanation.sentence.work : null;
      if (holder !== 'webhooks' || Date.now() > until) throw error;
    }
  }
}

const WEBHOOKS_MS = 10_000;
/** Of several syncs that write at once SQLite lets any go first. */
const AMONG_OTHERS_MS = 60_000;

/** Whether there is anything at a place. @throws LedgerError when its server cannot be asked */
export async function ledgerExists(place: Place): Promise<boolean> {
  const dialect = await dialectOf(place);
  try {
    return await dialect.exists(place);
  } catch (error) {
    throw dialect.explain(error, place);
  }
}

/** What is to be said of a place itself, a line each: its room, the way to it, the rights there. @throws LedgerError when its server cannot be asked */
export async function examinePlace(place: Place): Promise<Examined[]> {
  const dialect = await dialectOf(place);
  try {
    return await dialect.examine(place);
  } catch (error) {
    throw dialect.explain(error, place);
  }
}

/** Every table, view, index and trigger of a ledger, as its database describes them. */
export async function describeSchema({ place, connection }: Ledger): Promise<SchemaObject[]> {
  const { describe } = await dialectOf(place);
  return describe(connection);
}

/** The same of a new ledger in the same database. @throws LedgerAwayError where its server takes no writes now */
export async function describeNew(place: Place): Promise<SchemaObject[]> {
  const dialect = await dialectOf(place);
  const { migrate } = await import('./migrate.ts');
  try {
    return await dialect.describeNew(place, (transaction) => migrate({ place, db: transaction }, { transaction }));
  } catch (error) {
    throw dialect.explain(error, place);
  }
}

/** Looks for damage below a ledger's rows. @returns a sentence a problem; empty when it is sound */
export async function findDamage({ place, connection }: Ledger, thorough = false): Promise<string[]> {
  const dialect = await dialectOf(place);
  return dialect.findDamage(connection, thorough);
}

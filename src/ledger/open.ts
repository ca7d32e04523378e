import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { LedgerBusyError, LedgerError } from '../base/errors.ts';
import { describePlace, type Place, placeOf } from '../base/place.ts';
import { ledgerError, type Work } from '../words/errors/ledger.ts';
import { ofCourier, SOLE_COURIER, wholeLedger } from './courier.ts';
import type {
  Connection,
  ConnectionOptions,
  DamageDepth,
  Examined,
  LedgerDialect,
  LedgerLock,
  SchemaObject,
} from './dialect/dialect.ts';
import { dialectOf } from './dialect/index.ts';
import { holdHead } from './evidence/append.ts';
import type { LedgerDb } from './schema.ts';
import { type Opened, pendingMigrations, readSchemaState, tableNames } from './schema-state.ts';
import type { Upgrading } from './upgrade.ts';

/** An open ledger. Get one from {@link usingLedger}, which closes it. */
export interface Ledger {
  readonly place: Place;
  /** The place as messages name it, without a password. */
  readonly name: string;
  /** Narrowed to one courier: see {@link ofCourier}. */
  readonly db: LedgerDb;
  readonly connection: Connection;
}

/** An open transaction: what is written through it lands whole or not at all. */
export type LedgerTransaction = LedgerDb;

/** `create`: without it, a missing ledger is an error. `readOnly`: a ledger of an earlier remit is upgraded first. */
export interface LedgerOptions extends Upgrading, Omit<ConnectionOptions, 'lock'> {
  /** Hold the lock for this work while the ledger is open: no second sync, import or close starts then (exit 4). */
  readonly exclusive?: Work | undefined;
  /** The key of the courier that the exclusive work is for: work for other couriers may go on. */
  readonly exclusiveOf?: string | undefined;
  /** Do not make the schema of a new ledger: `use` makes it, in one transaction with the rows. */
  readonly leavesSchemaToUse?: boolean;
  /** Open it even if tables are missing, to find out what is wrong with it. */
  readonly isExamined?: boolean;
  /** The key of the courier whose rows are read and written; that of the sole courier when absent. */
  readonly courier?: string | undefined;
}

/**
 * Opens a ledger, brings its schema up to date, lends it to `use`, and closes it whatever happens.
 *
 * @param where a place, or the text of the setting that names one
 * @throws LedgerError when it is missing, damaged, no ledger, of a newer version, or its folder is read-only or full
 * @throws LedgerBusyError when `exclusive` is given and another command holds the lock
 */
export async function usingLedger<T>(
  where: Place | string,
  options: LedgerOptions,
  use: (ledger: Ledger) => Promise<T>,
): Promise<T> {
  const place = typeof where === 'string' ? placeOf(where) : where;
  const name = describePlace(place);
  const dialect = await dialectOf(place);
  let lock: LedgerLock | null = null;
  let connection: Connection | undefined;
  try {
    const requireLedger = async () => {
      if (options.create || (await dialect.exists(place))) return;
      throw new LedgerError(ledgerError({ id: 'no-ledger', ledger: name }));
    };
    // A file is looked for before it is opened, and any ledger before its lock is taken. Otherwise a server is just
    // opened: if that shows an empty place, there is time to ask, and a connection is saved.
    const asksFirst = options.exclusive !== undefined || !dialect.opensMissing;
    if (asksFirst) await requireLedger();
    if (options.exclusive) lock = await lockFor(dialect, place, options.exclusive, options.exclusiveOf);
    const busyMs = options.busyMs ?? (lock?.isOfCourier ? OTHER_COURIERS_MS : undefined);
    connection = await dialect.open(place, { ...options, lock, busyMs });
    const { applied, lacking, isEmpty } = await readSchemaState({ place, connection });
    if (isEmpty && !asksFirst) await requireLedger();
    if (lacking.length > 0 && !options.isExamined) {
      throw new LedgerError(ledgerError({ id: 'lacks-tables', ledger: name, tables: lacking }));
    }
    const isOutdated = pendingMigrations(applied).length > 0;
    const isLeftToUse = options.leavesSchemaToUse && (await tableNames(dialect, connection)).length === 0;
    if (isOutdated && !isLeftToUse) {
      if (options.opensReadOnly) throw new LedgerError(ledgerError({ id: 'of-earlier-version', ledger: name }));
      await bringUpToDate(dialect, { place, connection }, lock, options);
    }
    if (options.readOnly) await connection.refuseWrites?.();
    const db = ofCourier(connection.db, options.courier ?? SOLE_COURIER);
    return await use({ place, name, db, connection });
  } catch (error) {
    throw dialect.explain(error, place);
  } finally {
    try {
      await connection?.close();
    } finally {
      await lock?.release();
    }
  }
}

/** Makes the schema, or upgrades it. @param lock the ledger's lock, if this process holds it */
async function bringUpToDate(dialect: LedgerDialect, opened: Opened, lock: LedgerLock | null, options: Upgrading) {
  const { upgrade } = await import('./upgrade.ts');
  const migration = await dialect.lockMigration(opened.place, lock);
  try {
    const copy = await upgrade(opened, options);
    if (copy !== null) options.upgraded?.(copy);
  } finally {
    await migration.release();
  }
}

/** Takes the lock. If webhooks are being stored, it waits: that takes a moment, and no command shall fail for it. */
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
/** Long, because syncs of several couriers write at once, and SQLite lets any of them go first. */
const OTHER_COURIERS_MS = 60_000;

const MOST_TRIES = 10;

/**
 * Runs `work` in a transaction, and again from its beginning if it failed only because others wrote at the same time.
 *
 * If a transaction is already open, `work` becomes a part of it.
 *
 * @param work may run more than once: it changes nothing but the ledger
 */
export async function usingTransaction<T>(
  { db, place }: Ledger,
  work: (trx: LedgerTransaction) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt >= MOST_TRIES || !(await dialectOf(place)).isConflict(error)) throw error;
      await sleep(10 * attempt);
    }
  }
}

/**
 * Runs `work` in one transaction over all couriers' rows. Nobody else can append evidence until it ends, so what it
 * reads stays current. If it also has to keep other commands out, `work` calls `hold`; that lock is released once the
 * transaction has ended.
 */
export async function usingWholeTransaction<T>(
  ledger: Ledger,
  work: (within: { readonly ledger: Ledger; readonly hold: (work: Work) => Promise<void> }) => Promise<T>,
): Promise<T> {
  const dialect = await dialectOf(ledger.place);
  const locks: LedgerLock[] = [];
  const releaseLocks = async () => {
    for (const lock of locks.splice(0)) await lock.release();
  };
  try {
    return await usingTransaction({ ...ledger, db: wholeLedger(ledger.db) }, async (trx) => {
      // Those of an earlier try of this transaction.
      await releaseLocks();
      await holdHead(trx);
      const hold = async (why: Work) => {
        // One lock keeps all other work out.
        if (locks.length > 0) return;
        const lock = await dialect.lock(ledger.place, why, 0);
        locks.push(lock);
        // At the beginning of each transaction the driver checks that no lock was lost. This one was taken later.
        await lock.confirm?.(async (query) => (await sql.raw<Record<string, unknown>>(query).execute(trx)).rows);
      };
      return work({ ledger: { ...ledger, db: trx }, hold });
    });
  } finally {
    await releaseLocks();
  }
}

/** Runs `work` within a transaction, and undoes all that it wrote. @returns its result */
export async function tryOut<T>(trx: LedgerTransaction, work: () => Promise<T>): Promise<T> {
  await sql`savepoint trial`.execute(trx);
  const undo = async () => {
    await sql`rollback to savepoint trial`.execute(trx);
    await sql`release savepoint trial`.execute(trx);
  };
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // If the database has ended the transaction, `undo` fails too, and the first error is the one to report.
    await undo().catch(() => {});
    throw error;
  }
  await undo();
  return result;
}

/** Whether a place has a file, or on a server a ledger's tables. @throws LedgerError when the server cannot be asked */
export function ledgerExists(place: Place): Promise<boolean> {
  return usingDialect(place, (dialect) => dialect.exists(place));
}

/** Lends the dialect of a place. @throws LedgerError when the place's database fails */
async function usingDialect<T>(place: Place, use: (dialect: LedgerDialect) => Promise<T>): Promise<T> {
  const dialect = await dialectOf(place);
  try {
    return await use(dialect);
  } catch (error) {
    throw dialect.explain(error, place);
  }
}

/** Examines a place's free space, connection and rights. @throws LedgerError when its server cannot be asked */
export function examinePlace(place: Place): Promise<Examined[]> {
  return usingDialect(place, (dialect) => dialect.examine(place));
}

/** Every table, view, index and trigger of a ledger, as its database describes them. */
export async function describeSchema({ place, connection }: Ledger): Promise<SchemaObject[]> {
  const { describe } = await dialectOf(place);
  return describe(connection);
}

/** SQL that gives four roles (owner, syncer, clerk, reader) their rights on a ledger; null for a file. */
export async function grantsOf(place: Place): Promise<string | null> {
  return (await dialectOf(place)).grants?.(place) ?? null;
}

/** {@link describeSchema} of a new ledger in that database. @throws LedgerAwayError when it takes no writes now */
export async function describeNew(place: Place): Promise<SchemaObject[]> {
  const { migrate } = await import('./upgrade.ts');
  return usingDialect(place, (dialect) =>
    dialect.describeNew(place, (transaction) => migrate({ place, db: transaction }, { isInTransaction: true })),
  );
}

/** Looks for damage below a ledger's rows. @returns a sentence for each problem; empty when it is sound */
export async function findDamage({ place, connection }: Ledger, depth: DamageDepth = 'pages'): Promise<string[]> {
  const dialect = await dialectOf(place);
  return dialect.findDamage(connection, depth);
}

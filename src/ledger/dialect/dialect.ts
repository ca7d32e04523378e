import type { RawBuilder } from 'kysely';
import type { MigrationDialect } from '../../../migrations/index.ts';
import { LedgerBusyError } from '../../base/errors.ts';
import type { Place } from '../../base/place.ts';
import { isWork, ledgerError, type Work } from '../../words/errors/ledger.ts';
import type { LedgerDb } from '../schema.ts';

export interface ConnectionOptions {
  /** Make the file or the schema if it is missing. */
  readonly create?: boolean;
  /** Nothing will be written: a user without the right to write may open it. */
  readonly readOnly?: boolean;
  /** SQLite alone: open the file read-only. It cannot be upgraded then: a ledger of an earlier remit is refused. */
  readonly opensReadOnly?: boolean;
  /** It is thrown away afterwards, and need not survive a power cut. */
  readonly scratch?: boolean;
  /** How long (ms) a statement waits for another writer; on SQLite the process waits too. The default when absent. */
  readonly busyMs?: number | undefined;
  /** The ledger's lock, if this process holds it: each transaction confirms it. */
  readonly lock: LedgerLock | null;
}

/** An open database that holds, or will hold, a ledger. */
export interface Connection {
  readonly db: LedgerDb;
  /** Makes the connection refuse every write from now on; absent if the database cannot. */
  refuseWrites?(): Promise<void>;
  /** Begins a transaction that only reads: it sees one unchanging state, and no writer waits for it. */
  beginSnapshot(db: LedgerDb): Promise<void>;
  endSnapshot(db: LedgerDb): Promise<void>;
  close(): Promise<void>;
}

export interface LedgerLock {
  /** Whether it locks one courier's rows, not the whole ledger. */
  readonly isOfCourier?: boolean;
  release(): Promise<void>;
  /**
   * Checks, in each transaction before it writes, that the lock was not lost. Absent for locks that a living process
   * cannot lose.
   *
   * @param run runs a statement of that transaction
   * @throws LedgerError when the lock was lost
   */
  confirm?(run: (query: string) => Promise<readonly Record<string, unknown>[]>): Promise<void>;
}

/** The text with which a lock tells others who holds it, and since when: `import 2026-11-23T08:07:12Z`. */
export function describeHolder(work: Work): string {
  return `${work} ${new Date().toISOString().slice(0, 19)}Z`;
}

/**
 * The error for a lock that another process holds.
 *
 * @param name the ledger, as messages name it
 * @param holder a text that begins as {@link describeHolder} writes it; null if it could not be read
 */
export function busyError(name: string, holder: string | null): LedgerBusyError {
  const [, work, day, time] = /^([a-z]+) (\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z/.exec(holder ?? '') ?? [];
  const known = work !== undefined && isWork(work) ? work : null;
  const since = day === undefined ? null : `${day} ${time} UTC`;
  return new LedgerBusyError(ledgerError({ id: 'ledger-locked', ledger: name, work: known, since }));
}

/** A table, view, index or trigger as the database describes it: name and definition. */
export interface SchemaObject {
  readonly name: string;
  readonly definition: string;
}

/** A line of `remit doctor`: what it looked at, and whether that is well. */
export interface Examined {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  /** What to do about it; null when nothing is wrong. */
  readonly remedy: string | null;
}

/** How deep to look for damage: at rows that point to no row, at pages too, or also at each index and its table. */
export type DamageDepth = 'references' | 'pages' | 'indexes';

/** Everything in which databases differ. Each kind of place has one. */
export interface LedgerDialect<P extends Place = Place> {
  readonly migrations: MigrationDialect;
  /** Whether the place has a file, or on a server a ledger's tables. */
  exists(place: P): Promise<boolean>;
  open(place: P, options: ConnectionOptions): Promise<Connection>;
  /** Whether {@link open} opens a place without a ledger and leaves it so: then {@link exists} need not be asked. */
  readonly opensMissing: boolean;
  /**
   * Keeps other syncs, imports and closes out until released.
   *
   * @param work the work to name to others who find the lock taken
   * @param courier the key of the courier that the work is for: work for other couriers may go on
   * @throws LedgerBusyError while another process holds it longer than `waitMs`
   */
  lock(place: P, work: Work, waitMs: number, courier?: string): Promise<LedgerLock>;
  /**
   * Keeps other migrations out until released.
   *
   * @param held the ledger's lock, if this process holds it already
   * @throws LedgerBusyError while another process holds it for long
   */
  lockMigration(place: P, held: LedgerLock | null): Promise<LedgerLock>;
  /** A query for the names of the place's tables; none in a new one. */
  readonly tables: RawBuilder<{ name: string }>;
  /** Every table, view, index and trigger of the ledger but the migrations' own. */
  describe(connection: Connection): Promise<SchemaObject[]>;
  /** {@link describe} of a new ledger in the same database, which `migrate` makes and which is thrown away. */
  describeNew(place: P, migrate: (transaction: LedgerDb) => Promise<void>): Promise<SchemaObject[]>;
  /** @returns a sentence for each problem */
  findDamage(connection: Connection, depth: DamageDepth): Promise<string[]>;
  /** Examines the place itself: free space, connection, rights. */
  examine(place: P): Promise<Examined[]>;
  /** Writes a complete copy as an SQLite file, with the database's backup; absent if the rows are copied instead. */
  copyToFile?(place: P, file: string): Promise<void>;
  /**
   * Runs `work` in the transaction `db` while no trigger of `tables` refuses changes.
   *
   * @throws if only their owner may
   */
  withoutTriggers<T>(db: LedgerDb, tables: readonly string[], work: () => Promise<T>): Promise<T>;
  /** SQL that gives four roles (owner, syncer, clerk, reader) their rights; absent if the database has no roles. */
  grants?(place: P): string;
  /** Whether a transaction failed only because others wrote at the same time: done again, it may succeed. */
  isConflict(error: unknown): boolean;
  /**
   * Turns a failure of the database into an error that names the place and the remedy; anything else is returned as it
   * came.
   */
  explain(error: unknown, place: P): unknown;
}

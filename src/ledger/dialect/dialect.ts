import type { Kysely, RawBuilder } from 'kysely';
import type { MigrationDialect } from '../../../migrations/index.ts';
import type { Place } from '../../base/place.ts';
import type { LedgerSchema } from '../schema.ts';
import type { Work } from './lock-holder.ts';

export interface ConnectionOptions {
  /** Make the file or the schema if it is missing. */
  readonly create?: boolean;
  /** Nothing will be written: a user without the right to write may open it. */
  readonly readOnly?: boolean;
  /** SQLite alone: open the file in its read-only mode. */
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
  readonly db: Kysely<LedgerSchema>;
  /** Makes the connection refuse every write from now on; absent if the database cannot. */
  refuseWrites?(): Promise<void>;
  /** Begins a transaction that only reads: it sees one unchanging state, and no writer waits for it. */
  beginSnapshot(db: Kysely<LedgerSchema>): Promise<void>;
  endSnapshot(db: Kysely<LedgerSchema>): Promise<void>;
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

/** Who may write to which tables of the ledger; every role may read all. */
export interface TableRights {
  /** Nobody may change or remove their rows. */
  readonly appendOnly: readonly string[];
  /** Every table: a syncer may write to each. */
  readonly all: readonly string[];
  /** A clerk may write to these: decisions and closes. */
  readonly clerk: readonly string[];
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
  describeNew(place: P, migrate: (transaction: Kysely<LedgerSchema>) => Promise<void>): Promise<SchemaObject[]>;
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
  withoutTriggers<T>(db: Kysely<LedgerSchema>, tables: readonly string[], work: () => Promise<T>): Promise<T>;
  /** SQL that gives roles their rights; absent if the database has no roles. */
  grants?(place: P, rights: TableRights): string;
  /** Whether a transaction failed only because others wrote at the same time: done again, it may succeed. */
  isConflict(error: unknown): boolean;
  /**
   * Turns a failure of the database into an error that names the place and the remedy; anything else is returned as it
   * came.
   */
  explain(error: unknown, place: P): unknown;
}

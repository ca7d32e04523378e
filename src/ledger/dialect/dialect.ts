import type { Kysely, RawBuilder } from 'kysely';
import type { MigrationDialect } from '../../../migrations/index.ts';
import type { Place } from '../../base/place.ts';
import type { LedgerSchema } from '../schema.ts';
import type { Work } from './lock-holder.ts';

export interface ConnectionOptions {
  /** Make what is missing. */
  readonly create: boolean;
  /** Never write, also where writing is not allowed. */
  readonly readOnly: boolean;
  /** A file is opened so that this program could not write to it at all. */
  readonly holdsReadOnly?: boolean;
  /** Thrown away afterwards: it need not outlive a power cut. */
  readonly scratch: boolean;
  /** How long a statement waits, without anything else being done, for another writer's transaction; the database's own limit where absent. */
  readonly busyMs?: number | undefined;
  /** The ledger's lock, where it is held: each transaction confirms it. */
  readonly lock: LedgerLock | null;
}

/** An open database that holds, or will hold, a ledger. */
export interface Connection {
  readonly db: Kysely<LedgerSchema>;
  /** Has the handle itself refuse every write from now on, where it can. */
  refuseWrites?(): Promise<void>;
  /** Begins a transaction that only reads: one unchanging view until it is rolled back, and no writer waits for it. */
  beginSnapshot(db: Kysely<LedgerSchema>): Promise<void>;
  /** Rolls it back. */
  endSnapshot(db: Kysely<LedgerSchema>): Promise<void>;
  close(): Promise<void>;
}

export interface LedgerLock {
  /** Whether it keeps others out of one courier's rows alone. */
  readonly isOfCourier?: boolean;
  release(): Promise<void>;
  /**
   * Where a lock can be lost while its holder lives: asked inside each transaction, before it writes.
   *
   * @param run runs a statement of that transaction
   * @throws LedgerError when it was lost
   */
  confirm?(run: (query: string) => Promise<readonly Record<string, unknown>[]>): Promise<void>;
}

/** A table, view, index or trigger as the database describes it: name and definition. */
export interface SchemaObject {
  readonly name: string;
  readonly definition: string;
}

/** What `remit doctor` says of a place, a line each. */
export interface Examined {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
  /** What to do about it; null when nothing is wrong. */
  readonly remedy: string | null;
}

/** Who may do what with the ledger's tables; reading is everybody's. */
export interface TableRights {
  /** Nobody changes or removes rows of these. */
  readonly appendOnly: readonly string[];
  /** A syncer brings and derives all rows. */
  readonly all: readonly string[];
  /** A clerk's decisions and closes change these. */
  readonly clerk: readonly string[];
}

/** Everything in which databases differ. Each kind of place has one. */
export interface LedgerDialect<P extends Place = Place> {
  readonly migrations: MigrationDialect;
  /** Whether there is a ledger, or anything at all, at the place. */
  exists(place: P): Promise<boolean>;
  open(place: P, options: ConnectionOptions): Promise<Connection>;
  /** Whether {@link open} opens a place that holds nothing and leaves it as it is: that it holds nothing is seen then, at no cost. */
  readonly opensMissing: boolean;
  /**
   * Keeps other syncs, imports and closes out until released.
   *
   * @param work what for, as those are told who find it taken
   * @param courier the key of the one courier that the work is of: that of other couriers is not kept out
   * @throws LedgerBusyError while another process holds it longer than `waitMs`
   */
  lock(place: P, work: Work, waitMs: number, courier?: string): Promise<LedgerLock>;
  /**
   * Keeps other migrations out until released.
   *
   * @param held the ledger's lock, where this process holds it already
   * @throws LedgerBusyError while another process holds it for long
   */
  lockMigration(place: P, held: LedgerLock | null): Promise<LedgerLock>;
  /** Selects the name of each table that the place holds; none in a new one. */
  readonly tables: RawBuilder<{ name: string }>;
  /** Every table, view, index and trigger of the ledger but the migrations' own. */
  describe(connection: Connection): Promise<SchemaObject[]>;
  /** The same of a new one in the same database, made for the purpose by `migrate` and thrown away. */
  describeNew(place: P, migrate: (transaction: Kysely<LedgerSchema>) => Promise<void>): Promise<SchemaObject[]>;
  /** Looks for damage below the rows: pages, indexes, and rows that point to nothing. @returns a sentence a problem */
  findDamage(connection: Connection, thorough: boolean): Promise<string[]>;
  /** Examines the place itself: free space, connection, rights. */
  examine(place: P): Promise<Examined[]>;
  /** Writes a complete copy as an SQLite file by the database's own means; absent where rows are copied instead. */
  copyToFile?(place: P, file: string): Promise<void>;
  /** Does `work` in an open transaction while the triggers of some tables, which refuse changes, are off. @throws where only the tables' owner may do that */
  withoutTriggers<T>(db: Kysely<LedgerSchema>, tables: readonly string[], work: () => Promise<T>): Promise<T>;
  /** SQL that gives roles their rights, where the database knows roles. */
  grants?(place: P, rights: TableRights): string;
  /** Whether a transaction failed only because others wrote at the same time: done again, it may succeed. */
  isConflict(error: unknown): boolean;
  /** Turns a failure of the database into an error that names the place and the remedy; anything else is returned as it came. */
  explain(error: unknown, place: P): unknown;
}

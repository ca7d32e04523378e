import type { Kysely } from 'kysely';
import type { MigrationDialect } from '../../../migrations/index.ts';
import type { Place } from '../place.ts';
import type { LedgerSchema } from '../schema.ts';

/** How a connection is opened. */
export interface ConnectionOptions {
  /** Make what is missing. */
  readonly create: boolean;
  /** Never write, also where writing is not allowed. */
  readonly readOnly: boolean;
  /** Thrown away afterwards: it need not outlive a power cut. */
  readonly scratch: boolean;
}

/** An open database that holds, or will hold, a ledger. */
export interface Connection {
  readonly db: Kysely<LedgerSchema>;
  /** Begins a transaction that only reads: one unchanging view until it is rolled back, and no writer waits for it. */
  beginSnapshot(db: Kysely<LedgerSchema>): Promise<void>;
  close(): Promise<void>;
}

/** A table, view, index or trigger as the database describes it: name and definition. */
export interface SchemaObject {
  readonly name: string;
  readonly definition: string;
}

/** All in which databases differ. Each kind of place has one. */
export interface LedgerDialect<P extends Place = Place> {
  readonly migrations: MigrationDialect;
  /** Whether there is a ledger, or anything at all, at the place. */
  exists(place: P): Promise<boolean>;
  open(place: P, options: ConnectionOptions): Promise<Connection>;
  /**
   * Keeps every other writer of the kind (sync, import, close, migration) out until released.
   *
   * @throws LedgerBusyError while another process holds it longer than `waitMs`
   */
  lock(place: P, waitMs: number): Promise<() => Promise<void>>;
  /** The tables that the place holds; empty for a new one. */
  tableNames(connection: Connection): Promise<string[]>;
  /** Every table, view, index and trigger of the ledger but the migrations' own. */
  describe(connection: Connection): Promise<SchemaObject[]>;
  /** The same of a new one, made for the purpose by `migrate` and thrown away. */
  describeNew(migrate: (connection: Connection, place: Place) => Promise<void>): Promise<SchemaObject[]>;
  /** Looks for damage below the rows: pages, indexes, and rows that point to nothing. @returns a sentence a problem */
  findDamage(connection: Connection, thorough: boolean): Promise<string[]>;
  /** Writes a complete copy of the ledger as an SQLite file, also while another process writes to it. */
  copyToFile(place: P, file: string): Promise<void>;
  /** Turns a failure of the database into an error that names the place and the remedy; anything else is returned as it came. */
  explain(error: unknown, place: P): unknown;
}

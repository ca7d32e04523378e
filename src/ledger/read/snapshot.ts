import type { Kysely } from 'kysely';
import type { Ledger } from '../open.ts';
import type { LedgerSchema } from '../schema.ts';

/** What the readers read from: an open ledger, or better a snapshot of one. */
export type LedgerReader = Kysely<LedgerSchema>;

/**
 * Lends one unchanging view of the ledger: whatever a sync writes meanwhile, all that is read through it agrees. The readers
 * take their rows in many small statements, so everything that must tie out belongs into one snapshot. Nothing written
 * through it is kept, and the ledger's own handle must not be used until it ends.
 */
export function usingSnapshot<T>({ db, connection }: Ledger, use: (db: LedgerReader) => Promise<T>): Promise<T> {
  return db.connection().execute(async (reader) => {
    await connection.beginSnapshot(reader);
    let result: T;
    try {
      result = await use(reader);
    } catch (error) {
      // Where the database is gone the rollback fails too: the first failure is what people must hear of.
      await connection.endSnapshot(reader).catch(() => {});
      throw error;
    }
    await connection.endSnapshot(reader);
    return result;
  });
}

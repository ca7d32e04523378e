import type { Kysely } from 'kysely';
import type { Ledger } from '../open.ts';
import type { LedgerSchema } from '../schema.ts';
import { locateOverflow } from './overflow.ts';

/** What queries read from: an open ledger, or a snapshot of one. */
export type LedgerReader = Kysely<LedgerSchema>;

/**
 * Lends one unchanging view of the ledger: whatever a sync writes meanwhile, everything read through it agrees. Readers
 * use many small statements, so all figures that must tie out are read through one snapshot. Nothing written
 * through it is kept, and the ledger's own handle must not be used until it ends.
 */
export function usingSnapshot<T>({ db, connection }: Ledger, use: (db: LedgerReader) => Promise<T>): Promise<T> {
  // A transaction sees one state already, with what it wrote itself.
  if (db.isTransaction) return use(db);
  return db.connection().execute(async (reader) => {
    await connection.beginSnapshot(reader);
    let result: T;
    try {
      result = await use(reader);
    } catch (error) {
      const located = await locateOverflow(reader, error).catch(() => error);
      // If the database is gone the rollback fails too: the first error is the one to report.
      await connection.endSnapshot(reader).catch(() => {});
      throw located;
    }
    await connection.endSnapshot(reader);
    return result;
  });
}

import { type Kysely, Migrator, sql } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import { LedgerError } from '../base/errors.ts';
import { describePlace, type Place } from '../base/place.ts';
import { because } from '../words/errors/ledger.ts';
import { wholeLedger } from './courier.ts';
import { dialectOf } from './dialect/index.ts';
import type { LedgerSchema } from './schema.ts';

interface Target {
  readonly place: Place;
  readonly db: Kysely<LedgerSchema>;
}

interface MigrateOptions {
  /** The last migration to apply; all when absent. */
  readonly last?: string | undefined;
  /** An open transaction to apply the migrations in; they open one of their own when absent. */
  readonly transaction?: Kysely<LedgerSchema>;
}

/** Applies migrations, all of them or none. @throws LedgerError when one fails: the ledger is as it was */
export async function migrate({ place, db }: Target, { last, transaction }: MigrateOptions = {}): Promise<void> {
  const dialect = await dialectOf(place);
  const migrator = new Migrator({
    db: wholeLedger(transaction ?? db),
    disableTransactions: transaction !== undefined,
    provider: { getMigrations: async () => migrations(dialect.migrations) },
  });
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (!error) return;
  // A failure that the dialect knows, such as a full disk, says more than that a migration failed.
  const explained = dialect.explain(error, place);
  if (explained !== error) throw explained;
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName ?? 'a migration';
  const why = (error as Error).message;
  const said = because({ id: 'not-brought-up', ledger: describePlace(place), migration: failed, why });
  throw new LedgerError(said, { cause: error });
}

/** Applies migrations and does `work` in one transaction: all of it happens, or nothing does. */
export function migrateWith<T>(target: Target, work: (connection: Kysely<LedgerSchema>) => Promise<T>): Promise<T> {
  return target.db.connection().execute(async (connection) => {
    await sql`begin`.execute(connection);
    try {
      await migrate(target, { transaction: connection });
      const result = await work(connection);
      await sql`commit`.execute(connection);
      return result;
    } catch (error) {
      // If the database is gone this fails too, and the first error is the one to report.
      await sql`rollback`.execute(connection).catch(() => {});
      throw error;
    }
  });
}

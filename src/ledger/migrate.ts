import { type Kysely, Migrator } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import { LedgerError } from '../base/errors.ts';
import { describePlace, type Place } from '../base/place.ts';
import { because } from '../words/errors/ledger.ts';
import { wholeLedger } from './courier.ts';
import { type Connection, dialectOf } from './dialect/index.ts';
import type { LedgerSchema } from './schema.ts';
import { ALL_TABLES } from './tables.ts';

/** What is to be brought up to date. */
interface Target {
  readonly place: Place;
  readonly db: Kysely<LedgerSchema>;
}

/** How: `last` is the last migration to apply, every one when absent. */
interface How {
  readonly last?: string | undefined;
  /** A connection in an open transaction, of which the migrations are then a part; absent for a transaction of their own. */
  readonly transaction?: Kysely<LedgerSchema>;
}

/**
 * Applies migrations, all of them or none.
 *
 * @throws LedgerError when one fails: the ledger is as it was
 */
export async function migrate({ place, db }: Target, { last, transaction }: How = {}): Promise<void> {
  const dialect = dialectOf(place);
  const migrator = new Migrator({
    db: wholeLedger(transaction ?? db),
    disableTransactions: transaction !== undefined,
    provider: { getMigrations: async () => migrations(dialect.migrations) },
  });
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (!error) return;
  const explained = dialect.explain(error, place);
  if (explained !== error) throw explained;
  const failed = results?.find((r) => r.status === 'Error')?.migrationName ?? 'a migration';
  throw new LedgerError(
    because({ id: 'not-brought-up', ledger: describePlace(place), migration: failed, why: (error as Error).message }),
    { cause: error },
  );
}

/** What a ledger has of this version's schema. */
export interface Standing {
  /** The migrations, in their order; none where there are no tables. */
  readonly applied: readonly string[];
  /** The tables that it lacks although it has every migration. */
  readonly lacking: readonly string[];
}

/** Reads what a ledger has of this version's schema. @throws LedgerError where it is none of this program's ledgers */
export async function readStanding({
  place,
  connection,
}: {
  readonly place: Place;
  readonly connection: Connection;
}): Promise<Standing> {
  const name = describePlace(place);
  const dialect = dialectOf(place);
  const tables = await dialect.tableNames(connection);
  if (tables.length === 0) return { applied: [], lacking: [] };
  if (!tables.includes('kysely_migration')) {
    throw new LedgerError(because({ id: 'no-ledger-database', ledger: name }));
  }
  const names = Object.keys(migrations(dialect.migrations));
  const rows = await (connection.db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();
  const applied = rows.map((row) => row.name);
  if (applied.length > 0 && !applied.includes(names[0]!)) {
    throw new LedgerError(because({ id: 'of-development-version', ledger: name }));
  }
  const unknown = applied.find((migration) => !names.includes(migration));
  if (unknown) {
    throw new LedgerError(because({ id: 'of-newer-version', ledger: name, holds: unknown }));
  }
  const isCurrent = pendingMigrations(place, applied).length === 0;
  return { applied, lacking: isCurrent ? Object.keys(ALL_TABLES).filter((table) => !tables.includes(table)) : [] };
}

/** Those that it still lacks, in their order. */
export function pendingMigrations(place: Place, applied: readonly string[]): string[] {
  return Object.keys(migrations(dialectOf(place).migrations)).filter((name) => !applied.includes(name));
}

import { type Kysely, Migrator } from 'kysely';
import { migrations } from '../../migrations/index.ts';
import { LedgerError } from '../base/errors.ts';
import { describePlace, type Place } from '../base/place.ts';
import { wholeLedger } from './courier.ts';
import { type Connection, dialectOf } from './dialect/index.ts';
import type { LedgerSchema } from './schema.ts';

/** Every migration by name, in order, for a database; the tests of an upgrade bring one more. */
export type Migrations = typeof migrations;

/** What is to be brought up to date. */
interface Target {
  readonly place: Place;
  readonly db: Kysely<LedgerSchema>;
}

/** How: `last` is the last migration to apply, every one when absent. */
interface How {
  readonly known?: Migrations | undefined;
  readonly last?: string | undefined;
  /** A connection in an open transaction, of which the migrations are then a part; absent for a transaction of their own. */
  readonly transaction?: Kysely<LedgerSchema>;
}

/**
 * Applies migrations, all of them or none.
 *
 * @throws LedgerError when one fails: the ledger is as it was
 */
export async function migrate(
  { place, db }: Target,
  { known = migrations, last, transaction }: How = {},
): Promise<void> {
  const dialect = dialectOf(place);
  const migrator = new Migrator({
    db: wholeLedger(transaction ?? db),
    disableTransactions: transaction !== undefined,
    provider: { getMigrations: async () => known(dialect.migrations) },
  });
  const { error, results } = await (last === undefined ? migrator.migrateToLatest() : migrator.migrateTo(last));
  if (!error) return;
  const explained = dialect.explain(error, place);
  if (explained !== error) throw explained;
  const failed = results?.find((r) => r.status === 'Error')?.migrationName ?? 'a migration';
  throw new LedgerError(
    `${describePlace(place)} could not be brought up to date: ${failed} failed: ${(error as Error).message}`,
    'The ledger was left as it was. Keep a copy and report this.',
    { cause: error },
  );
}

/** The migrations that a ledger has, in their order; none where there are no tables. @throws LedgerError where it is none of this program's ledgers */
export async function appliedMigrations(
  { place, connection }: { readonly place: Place; readonly connection: Connection },
  known: Migrations = migrations,
): Promise<string[]> {
  const name = describePlace(place);
  const dialect = dialectOf(place);
  const tables = await dialect.tableNames(connection);
  if (tables.length === 0) return [];
  if (!tables.includes('kysely_migration')) {
    throw new LedgerError(
      `${name} is a database, but not a remit ledger`,
      'Point REMIT_LEDGER (or `ledger` in remit.toml) at a ledger, or at a place that holds nothing yet.',
    );
  }
  const names = Object.keys(known(dialect.migrations));
  const rows = await (connection.db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();
  const applied = rows.map((row) => row.name);
  if (applied.length > 0 && !applied.includes(names[0]!)) {
    throw new LedgerError(
      `${name} was made by a development version of remit, before 1.0, and cannot be read by this one`,
      'Make a new books folder with `remit init` and sync there, or name another ledger; the old one is left as it is.',
    );
  }
  const unknown = applied.find((migration) => !names.includes(migration));
  if (unknown) {
    throw new LedgerError(
      `${name} was made by a newer remit (it holds ${unknown})`,
      'Update remit on this machine, or use the newer one; nothing was changed.',
    );
  }
  return applied;
}

/** Those that it still lacks, in their order. */
export function pendingMigrations(place: Place, applied: readonly string[], known: Migrations = migrations): string[] {
  return Object.keys(known(dialectOf(place).migrations)).filter((name) => !applied.includes(name));
}

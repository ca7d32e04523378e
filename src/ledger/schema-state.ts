import { sql } from 'kysely';
import { MIGRATIONS } from '../../migrations/names.ts';
import { LedgerError } from '../base/errors.ts';
import { describePlace, type Place } from '../base/place.ts';
import { ledgerError } from '../words/errors/ledger.ts';
import type { Connection, LedgerDialect } from './dialect/dialect.ts';
import { dialectOf } from './dialect/index.ts';
import { ALL_TABLES } from './tables.ts';

const MIGRATION_NAMES: readonly string[] = MIGRATIONS;

/** How much of this version's schema a ledger has. */
export interface SchemaState {
  /** The migrations that it has, in their order. */
  readonly applied: readonly string[];
  /** The tables that it lacks although it has every migration. */
  readonly lacking: readonly string[];
  readonly isEmpty: boolean;
}

/** A place whose database is open. */
export interface Opened {
  readonly place: Place;
  readonly connection: Connection;
}

/** @throws LedgerError when the database is no ledger, or one of a newer or an unreleased remit */
export async function readSchemaState({ place, connection }: Opened): Promise<SchemaState> {
  const ledger = describePlace(place);
  const dialect = await dialectOf(place);
  const found = await sql<{ name: string; is_migration: 0 | 1 }>`
    select name, 1 as is_migration from kysely_migration
    union all select name, 0 from (${dialect.tables}) found order by 1`
    .execute(connection.db)
    .catch(async (error: unknown) => {
      const names = await tableNames(dialect, connection);
      if (names.includes('kysely_migration')) throw error;
      // Without a table of migrations it is new, or no ledger.
      if (names.length === 0) return null;
      throw new LedgerError(ledgerError({ id: 'no-ledger-database', ledger }), { cause: error });
    });
  if (found === null) return { applied: [], lacking: [], isEmpty: true };
  const applied = found.rows.filter(({ is_migration }) => is_migration === 1).map(({ name }) => name);
  const tables = found.rows.filter(({ is_migration }) => is_migration === 0).map(({ name }) => name);
  if (applied.length > 0 && !applied.includes(MIGRATIONS[0])) {
    throw new LedgerError(ledgerError({ id: 'of-development-version', ledger }));
  }
  const unknown = applied.find((migration) => !MIGRATION_NAMES.includes(migration));
  if (unknown) {
    throw new LedgerError(ledgerError({ id: 'of-newer-version', ledger, holds: unknown }));
  }
  const isCurrent = pendingMigrations(applied).length === 0;
  const lacking = isCurrent ? Object.keys(ALL_TABLES).filter((table) => !tables.includes(table)) : [];
  return { applied, lacking, isEmpty: false };
}

/** The names of all tables in a ledger's file or schema; none if it is new. */
export async function tableNames({ tables }: Pick<LedgerDialect, 'tables'>, { db }: Connection): Promise<string[]> {
  return (await tables.execute(db)).rows.map(({ name }) => name);
}

/** The migrations that a ledger still lacks, in their order. @param applied those that it has */
export function pendingMigrations(applied: readonly string[]): string[] {
  return MIGRATION_NAMES.filter((name) => !applied.includes(name));
}

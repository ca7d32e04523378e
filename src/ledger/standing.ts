import type { Kysely } from 'kysely';
import { MIGRATIONS } from '../../migrations/names.ts';
import { LedgerError } from '../base/errors.ts';
import { describePlace, type Place } from '../base/place.ts';
import { because } from '../words/errors/ledger.ts';
import type { Connection } from './dialect/dialect.ts';
import { dialectOf } from './dialect/index.ts';
import { ALL_TABLES } from './tables.ts';

const NAMES: readonly string[] = MIGRATIONS;

/** What a ledger has of this version's schema. */
export interface Standing {
  /** The migrations, in their order; none where there are no tables. */
  readonly applied: readonly string[];
  /** The tables that it lacks although it has every migration. */
  readonly lacking: readonly string[];
  /** Whether there are no tables. */
  readonly isEmpty: boolean;
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
  const { tableNames } = await dialectOf(place);
  const tables = await tableNames(connection);
  if (tables.length === 0) return { applied: [], lacking: [], isEmpty: true };
  if (!tables.includes('kysely_migration')) {
    throw new LedgerError(because({ id: 'no-ledger-database', ledger: name }));
  }
  const rows = await (connection.db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();
  const applied = rows.map((row) => row.name);
  if (applied.length > 0 && !applied.includes(MIGRATIONS[0])) {
    throw new LedgerError(because({ id: 'of-development-version', ledger: name }));
  }
  const unknown = applied.find((migration) => !NAMES.includes(migration));
  if (unknown) {
    throw new LedgerError(because({ id: 'of-newer-version', ledger: name, holds: unknown }));
  }
  const isCurrent = pendingMigrations(applied).length === 0;
  const lacking = isCurrent ? Object.keys(ALL_TABLES).filter((table) => !tables.includes(table)) : [];
  return { applied, lacking, isEmpty: false };
}

/** Those that it still lacks, in their order. */
export function pendingMigrations(applied: readonly string[]): string[] {
  return NAMES.filter((name) => !applied.includes(name));
}

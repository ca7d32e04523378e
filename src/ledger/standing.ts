import { sql } from 'kysely';
import { MIGRATIONS } from '../../migrations/names.ts';
import { LedgerError } from '../base/errors.ts';
import { describePlace, type Place } from '../base/place.ts';
import { because } from '../words/errors/ledger.ts';
import type { Connection, LedgerDialect } from './dialect/dialect.ts';
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
  const dialect = await dialectOf(place);
  const held = await sql<{ name: string; migration: 0 | 1 }>`
    select name, 1 as migration from kysely_migration union all select name, 0 from (${dialect.tables}) held order by 1`
    .execute(connection.db)
    .catch(() => null);
  if (held === null) {
    if ((await tableNames(dialect, connection)).length === 0) return { applied: [], lacking: [], isEmpty: true };
    throw new LedgerError(because({ id: 'no-ledger-database', ledger: name }));
  }
  const namesOf = (kind: 0 | 1) => held.rows.flatMap((row) => (row.migration === kind ? row.name : []));
  const [applied, tables] = [namesOf(1), namesOf(0)];
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

/** The tables that a ledger's place holds; none in a new one. */
export async function tableNames({ tables }: Pick<LedgerDialect, 'tables'>, { db }: Connection): Promise<string[]> {
  return (await tables.execute(db)).rows.map(({ name }) => name);
}

/** Those that it still lacks, in their order. */
export function pendingMigrations(applied: readonly string[]): string[] {
  return NAMES.filter((name) => !applied.includes(name));
}

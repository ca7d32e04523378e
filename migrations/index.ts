import type { Migration } from 'kysely';
import { ledger } from './0001_ledger.ts';
import { books } from './0002_books.ts';
import { closes } from './0003_closes.ts';
import { claims } from './0004_claims.ts';
import { views } from './0005_views.ts';
import type { MigrationDialect } from './dialect.ts';

export type { MigrationDialect } from './dialect.ts';

/** Every migration of the ledger by name, in order. A released one is frozen: add a new file instead of changing one. */
export function migrations(dialect: MigrationDialect): Record<string, Migration> {
  return {
    '0001_ledger': ledger(dialect),
    '0002_books': books(dialect),
    '0003_closes': closes(dialect),
    '0004_claims': claims(dialect),
    '0005_views': views(dialect),
  };
}

import type { Kysely, Migration } from 'kysely';
import type { MigrationDialect } from './dialect.ts';

/** What 1.1.0 adds to the tables and views of 1.0.0. */
export function seams(_dialect: MigrationDialect): Migration {
  return {
    async up(_db: Kysely<unknown>): Promise<void> {},
  };
}

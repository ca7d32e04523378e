import type { Migration } from 'kysely';
import { schema } from './0001_schema.ts';
import { seams } from './0002_seams.ts';
import { webhooks } from './0003_webhooks.ts';
import { orderChanges } from './0004_order_changes.ts';
import { references } from './0005_references.ts';
import type { MigrationDialect } from './dialect.ts';
import type { MIGRATIONS } from './names.ts';

export type { MigrationDialect } from './dialect.ts';

/** Every migration of the ledger by name. A released one is frozen: add a new file instead of changing one. */
export function migrations(dialect: MigrationDialect): Record<(typeof MIGRATIONS)[number], Migration> {
  return {
    '0001_schema': schema(dialect),
    '0002_seams': seams(dialect),
    '0003_webhooks': webhooks(dialect),
    '0004_order_changes': orderChanges(dialect),
    '0005_references': references(),
  };
}

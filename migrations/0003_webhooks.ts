import type { Kysely, Migration } from 'kysely';
import type { MigrationDialect } from './dialect.ts';
import { createTable, perCourier, type Tables } from './tables.ts';

const TABLES: Tables = perCourier({
  webhook: {
    columns: {
      evidence_id: 'integer',
      received_at: 'text',
      sha256: 'text',
      order_id: 'text?',
      updated_at: 'text?',
      is_old: 'integer',
      answered_evidence_id: 'integer?',
    },
    key: ['evidence_id'],
    indexes: {
      order: ['order_id', 'updated_at'],
      body: ['sha256'],
      waiting: ['answered_evidence_id', 'order_id'],
    },
  },
});

/** Adds the table of webhooks: a courier's message says that an order has changed. */
export function webhooks(dialect: MigrationDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const [name, spec] of Object.entries(TABLES)) await createTable(db, dialect, name, spec);
    },
  };
}

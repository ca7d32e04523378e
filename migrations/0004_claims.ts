import type { Kysely, Migration } from 'kysely';
import type { MigrationDialect } from './dialect.ts';
import { createTable, type TableSpec } from './tables.ts';

/** What was claimed from the courier, and what became of it. */
const TABLES: Record<string, TableSpec> = {
  claim: {
    columns: {
      mismatch_id: 'text',
      state: 'text',
      answer: 'text?',
      evidence_id: 'integer',
      at: 'text',
      actor: 'text',
      moved_at: 'text',
      currency: 'text?',
      unit: 'text?',
      expected: 'text?',
      actual: 'text?',
      effect: 'text?',
    },
    key: ['mismatch_id'],
    refers: { mismatch_id: 'mismatch.id' },
  },
  claim_event: {
    columns: {
      mismatch_id: 'text',
      evidence_id: 'integer',
      at: 'text',
      actor: 'text',
      state: 'text',
      answer: 'text?',
      note: 'text?',
      currency: 'text?',
      effect: 'text?',
    },
    key: ['mismatch_id', 'evidence_id'],
    refers: { mismatch_id: 'mismatch.id' },
  },
};

export function claims(dialect: MigrationDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const [name, spec] of Object.entries(TABLES)) await createTable(db, dialect, name, spec);
      for (const statement of dialect.appendOnly('claim_event')) await statement.execute(db);
    },
  };
}

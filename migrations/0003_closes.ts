import type { Kysely, Migration } from 'kysely';
import type { MigrationDialect } from './dialect.ts';
import { createTable, type TableSpec } from './tables.ts';

/** Months that were closed, what was frozen with them, and those that were opened again. */
const TABLES: Record<string, TableSpec> = {
  period_close: {
    columns: {
      id: 'integer',
      period: 'text',
      at: 'text',
      actor: 'text',
      is_first: 'integer',
      with_open: 'text?',
      figures_sha256: 'text',
      chain: 'text',
    },
    key: ['id'],
    indexes: { period: ['period'] },
  },
  period_close_figure: {
    columns: { close_id: 'integer', section: 'text', currency: 'text', figure: 'text', value: 'text' },
    key: ['close_id', 'section', 'currency', 'figure'],
    refers: { close_id: 'period_close.id' },
  },
  period_close_document: {
    columns: {
      close_id: 'integer',
      kind: 'text',
      subject: 'text',
      evidence_id: 'integer',
      sha256: 'text?',
      status: 'text?',
    },
    key: ['close_id', 'kind', 'subject'],
    refers: { close_id: 'period_close.id' },
    indexes: { subject: ['kind', 'subject'] },
  },
  period_close_finding: {
    columns: { close_id: 'integer', mismatch_id: 'text', code: 'text', currency: 'text?', effect: 'text?' },
    key: ['close_id', 'mismatch_id'],
    refers: { close_id: 'period_close.id' },
  },
  period_reopen: {
    columns: { id: 'integer', close_id: 'integer', period: 'text', at: 'text', actor: 'text', reason: 'text' },
    key: ['id'],
    refers: { close_id: 'period_close.id' },
    indexes: { close: ['close_id'] },
  },
};

export function closes(dialect: MigrationDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const [name, spec] of Object.entries(TABLES)) {
        await createTable(db, dialect, name, spec);
        for (const statement of dialect.appendOnly(name)) await statement.execute(db);
      }
    },
  };
}

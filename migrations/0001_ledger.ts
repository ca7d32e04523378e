import { type Kysely, type Migration, sql } from 'kysely';
import type { MigrationDialect } from './dialect.ts';
import { type ColumnSpec, createTable, type TableSpec } from './tables.ts';

const money = (...fields: string[]): Record<string, ColumnSpec> =>
  Object.fromEntries(fields.map((f) => [f, 'integer']));
const INVOICE_MONEY = money('cod', 'delivery_fee', 'net_due_to_merchant');
const ORDER_FIELDS = ['cod', 'delivery_fee'];
const ORDER_MONEY = money(...ORDER_FIELDS);

/**
 * The ledger's first shape: the evidence, and what is derived from it. Money columns count 1/10,000 of the currency's unit. Every key
 * is given by the writer, so that a replay of the evidence makes the same rows with the same keys in any database.
 */
const TABLES: Record<string, TableSpec> = {
  evidence_body: {
    columns: { sha256: 'text', encoding: 'text', size: 'integer', body: 'blob' },
    key: ['sha256'],
  },
  evidence_pack: {
    columns: { first_part: 'integer', sizes: 'text', encoding: 'text', body: 'blob' },
    key: ['first_part'],
  },
  evidence_part: { columns: { sha256: 'blob', part: 'integer' }, key: ['sha256'], indexes: { part: ['part'] } },
  evidence: {
    columns: {
      id: 'integer',
      at: 'text',
      kind: 'text',
      run_id: 'integer?',
      actor: 'text?',
      subject: 'text',
      source: 'text?',
      listing: 'text?',
      walk: 'integer?',
      sha256: 'text?',
      fault: 'text?',
      data: 'text?',
      chain: 'text',
    },
    key: ['id'],
    refers: { sha256: 'evidence_body.sha256' },
    indexes: { subject: ['kind', 'subject', 'id'], body: ['sha256'] },
  },
  chain: { columns: { id: 'integer', evidence_id: 'integer', head: 'text' }, key: ['id'] },
  run: {
    columns: {
      id: 'integer',
      command: 'text',
      started_at: 'text',
      finished_at: 'text?',
      status: 'text',
      remit_version: 'text',
      period: 'text?',
      summary: 'text?',
    },
    key: ['id'],
  },
  account: {
    columns: {
      id: 'integer',
      api_url: 'text',
      organisation_name: 'text',
      brand: 'text?',
      logo_url: 'text?',
      primary_color: 'text?',
      profile_sha256: 'text',
      logo_sha256: 'text?',
    },
    key: ['id'],
  },
  listing: {
    columns: {
      id: 'integer',
      run_id: 'integer',
      kind: 'text',
      period: 'text?',
      finished_at: 'text',
      complete: 'integer',
      stated_count: 'integer?',
      seen_count: 'integer',
      walks: 'integer',
      unreadable: 'integer',
      anonymous: 'integer',
      why: 'text?',
    },
    key: ['id'],
    indexes: { period: ['kind', 'period', 'id'] },
  },
  unreadable: {
    columns: {
      kind: 'text',
      subject: 'text',
      period: 'text?',
      evidence_id: 'integer',
      at: 'text',
      sha256: 'text?',
      why: 'text',
    },
    key: ['kind', 'subject'],
  },
  invoice_listed: {
    columns: {
      period: 'text',
      invoice_number: 'integer',
      status: 'text?',
      status_display: 'text?',
      issued_at: 'text?',
      order_count: 'integer?',
      row_sha256: 'text?',
      first_evidence_id: 'integer',
      read_evidence_id: 'integer?',
      counts_here: 'integer',
      seen_run: 'integer',
      seen_walk: 'integer',
      vanished_at: 'text?',
      vanished_run: 'integer?',
    },
    key: ['period', 'invoice_number'],
    indexes: { number: ['invoice_number', 'period'] },
  },
  invoice_listed_amount: {
    columns: { period: 'text', invoice_number: 'integer', currency: 'text', ...INVOICE_MONEY },
    key: ['period', 'invoice_number', 'currency'],
  },
  invoice: {
    columns: {
      number: 'integer',
      period: 'text',
      status: 'text',
      issued_at: 'text',
      row_count: 'integer',
      detail_sha256: 'text',
      detail_evidence_id: 'integer',
      read_evidence_id: 'integer',
      read_at: 'text',
      listed_sha256: 'text?',
      superseded_at: 'text?',
      superseded_why: 'text?',
      vanished_at: 'text?',
    },
    key: ['number'],
    indexes: { period: ['period', 'number'] },
  },
  invoice_missing: {
    columns: { invoice_number: 'integer', evidence_id: 'integer', at: 'text', why: 'text' },
    key: ['invoice_number'],
  },
  invoice_amount: {
    columns: { invoice_number: 'integer', currency: 'text', ...INVOICE_MONEY },
    key: ['invoice_number', 'currency'],
    refers: { invoice_number: 'invoice.number' },
  },
  invoice_order: {
    columns: {
      invoice_number: 'integer',
      position: 'integer',
      order_id: 'text',
      reference_id: 'text',
      workflow: 'text',
      delivery_state: 'text',
      payment_state: 'text',
    },
    key: ['invoice_number', 'position'],
    refers: { invoice_number: 'invoice.number' },
    indexes: { order: ['order_id', 'invoice_number', 'position'] },
  },
  invoice_order_amount: {
    columns: { invoice_number: 'integer', position: 'integer', currency: 'text', ...ORDER_MONEY },
    key: ['invoice_number', 'position', 'currency'],
    refers: { invoice_number: 'invoice.number' },
  },
  invoice_version: {
    columns: {
      invoice_number: 'integer',
      version: 'integer',
      evidence_id: 'integer',
      seen_at: 'text',
      sha256: 'text',
      status: 'text',
      issued_at: 'text',
      row_count: 'integer',
      content_sha256: 'text',
    },
    key: ['invoice_number', 'version'],
  },
  invoice_version_amount: {
    columns: {
      invoice_number: 'integer',
      version: 'integer',
      currency: 'text',
      cod: 'text',
      delivery_fee: 'text',
      net_due_to_merchant: 'text',
      ...Object.fromEntries(ORDER_FIELDS.map((field) => [`order_${field}`, 'text' as const])),
    },
    key: ['invoice_number', 'version', 'currency'],
  },
  invoice_status: {
    columns: { invoice_number: 'integer', evidence_id: 'integer', seen_at: 'text', status: 'text' },
    key: ['invoice_number', 'evidence_id'],
  },
  invoice_presence: {
    columns: { invoice_number: 'integer', evidence_id: 'integer', seen_at: 'text', present: 'integer' },
    key: ['invoice_number', 'evidence_id'],
  },
  courier_order: {
    columns: {
      order_id: 'text',
      reference_id: 'text',
      workflow: 'text',
      is_exchange: 'integer',
      delivery_state: 'text',
      payment_state: 'text',
      merchant_invoice: 'text?',
      merchant_location: 'integer?',
      number_of_packages: 'integer?',
      return_reason: 'text?',
      customer_id: 'integer?',
      area_id: 'integer?',
      area_name: 'text?',
      district: 'text?',
      first_delivered_at: 'text?',
      delivered_seen_at: 'text?',
      fee_stated: 'integer',
      record_sha256: 'text',
      record_part: 'integer',
      content_sha256: 'text',
      first_evidence_id: 'integer',
      record_evidence_id: 'integer',
      seen_evidence_id: 'integer',
      superseded_at: 'text?',
      superseded_why: 'text?',
      vanished_at: 'text?',
    },
    key: ['order_id'],
    indexes: { reference: ['reference_id'], invoice: ['merchant_invoice'] },
  },
  courier_order_amount: {
    columns: { order_id: 'text', currency: 'text', ...ORDER_MONEY },
    key: ['order_id', 'currency'],
    refers: { order_id: 'courier_order.order_id' },
  },
  courier_order_delivered_amount: {
    columns: { order_id: 'text', currency: 'text', ...ORDER_MONEY },
    key: ['order_id', 'currency'],
    refers: { order_id: 'courier_order.order_id' },
  },
  statestamp: {
    columns: {
      order_id: 'text',
      position: 'integer',
      delivery_state: 'text',
      payment_state: 'text',
      stamped_at: 'text',
    },
    key: ['order_id', 'position'],
    refers: { order_id: 'courier_order.order_id' },
  },
  order_change: {
    columns: {
      order_id: 'text',
      evidence_id: 'integer',
      what: 'text',
      from_delivery_state: 'text',
      to_delivery_state: 'text',
      from_payment_state: 'text',
      to_payment_state: 'text',
      from_part: 'integer',
      to_part: 'integer',
      amounts_changed: 'integer',
      backward: 'integer',
    },
    key: ['order_id', 'evidence_id', 'what', 'to_part'],
  },
  mismatch: {
    columns: {
      id: 'text',
      code: 'text',
      severity: 'text',
      period: 'text',
      subject: 'text',
      invoice_number: 'integer?',
      order_id: 'text?',
      reference_id: 'text?',
      currency: 'text?',
      field: 'text?',
      expected: 'text?',
      actual: 'text?',
      difference: 'text?',
      unit: 'text?',
      effect: 'text?',
      message: 'text',
      status: 'text',
      note: 'text?',
    },
    key: ['id'],
    indexes: { period: ['period', 'code'], order: ['order_id'], invoice: ['invoice_number'] },
  },
  mismatch_month: {
    columns: { period: 'text', mismatch_id: 'text' },
    key: ['period', 'mismatch_id'],
    refers: { mismatch_id: 'mismatch.id' },
    indexes: { mismatch: ['mismatch_id'] },
  },
  mismatch_event: {
    columns: {
      mismatch_id: 'text',
      evidence_id: 'integer',
      at: 'text',
      actor: 'text',
      from_status: 'text?',
      to_status: 'text',
      note: 'text?',
    },
    key: ['mismatch_id', 'evidence_id'],
    refers: { mismatch_id: 'mismatch.id' },
  },
};

/** What nobody may change or remove once it is there. */
const APPEND_ONLY = ['evidence', 'evidence_body', 'evidence_pack', 'evidence_part', 'mismatch_event'];

export function ledger(dialect: MigrationDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const [name, spec] of Object.entries(TABLES)) await createTable(db, dialect, name, spec);
      // Few changes go backwards: they are found without looking through a history that grows every night.
      await sql`create index order_change_backward on order_change (order_id) where backward = 1`.execute(db);
      for (const table of APPEND_ONLY) {
        for (const statement of dialect.appendOnly(table)) await statement.execute(db);
      }
    },
  };
}

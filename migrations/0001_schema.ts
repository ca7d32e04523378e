import { type Kysely, type Migration, sql } from 'kysely';
import type { MigrationDialect } from './dialect.ts';
import { INVOICE_MONEY, ORDER_MONEY, ROW_SUMS } from './money.ts';
import { type ColumnSpec, createTable, type TableSpec } from './tables.ts';
import { changesView } from './views/changes.ts';
import { evidenceViews } from './views/evidence.ts';
import { lagView } from './views/lag.ts';
import { monthViews } from './views/months.ts';
import { rowViews } from './views/rows.ts';

type Tables = Readonly<Record<string, TableSpec>>;

/**
 * Tables whose rows are a courier's: `courier` is the first column of every key and index, and two couriers may use one number. What such
 * a row refers to is of the same courier.
 */
const ofCourier = (tables: Tables): Tables =>
  Object.fromEntries(
    Object.entries(tables).map(([name, { columns, key, indexes = {}, ...spec }]) => [
      name,
      {
        ...spec,
        columns: { courier: 'text', ...columns },
        key: ['courier', ...key],
        indexes: Object.fromEntries(Object.entries(indexes).map(([index, on]) => [index, ['courier', ...on]])),
        within: 'courier',
      } satisfies TableSpec,
    ]),
  );

const columns = (fields: readonly string[], type: ColumnSpec) => Object.fromEntries(fields.map((f) => [f, type]));
const INVOICE_COLUMNS = columns(INVOICE_MONEY, 'integer');
const ORDER_COLUMNS = columns(ORDER_MONEY, 'integer');

/** What became known, append-only and chained: documents as received, orders of the order book in packs, and who did what. All other tables follow from it. */
const EVIDENCE: Tables = {
  evidence_body: {
    columns: { sha256: 'text', encoding: 'text', size: 'integer', body: 'blob' },
    key: ['sha256'],
    appendOnly: true,
  },
  evidence_pack: {
    columns: { first_part: 'integer', sizes: 'text', encoding: 'text', body: 'blob' },
    key: ['first_part'],
    appendOnly: true,
  },
  evidence_part: {
    columns: { sha256: 'blob', part: 'integer' },
    key: ['sha256'],
    unique: { part: ['part'] },
    appendOnly: true,
  },
  evidence: {
    columns: {
      id: 'integer',
      at: 'text',
      kind: 'text',
      run_id: 'integer?',
      courier: 'text?',
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
    appendOnly: true,
  },
  chain: { columns: { id: 'integer', evidence_id: 'integer', head: 'text' }, key: ['id'] },
};

/** The couriers of the books. `key` is what rows bear, `name` what people call it: a courier that is renamed keeps its key. */
const COURIERS: Tables = {
  courier: {
    columns: { key: 'text', name: 'text', first_evidence_id: 'integer' },
    key: ['key'],
    unique: { name: ['name'] },
  },
  courier_name: { columns: { key: 'text', evidence_id: 'integer', name: 'text' }, key: ['key', 'evidence_id'] },
};

/** Each run of a command that writes, the account at the courier, how its invoices show returns, and what could not be read. */
const RUNS: Tables = ofCourier({
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
  returns_adopted: {
    columns: { id: 'integer', at: 'text', convention: 'text', basis: 'text', among: 'text' },
    key: ['id'],
    appendOnly: true,
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
});

/** The courier's invoices: the walks over its lists, the rows of the lists, the details, and what each was before. */
const INVOICES: Tables = ofCourier({
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
    columns: { period: 'text', invoice_number: 'integer', currency: 'text', ...INVOICE_COLUMNS },
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
    columns: { invoice_number: 'integer', currency: 'text', ...INVOICE_COLUMNS },
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
    columns: { invoice_number: 'integer', position: 'integer', currency: 'text', ...ORDER_COLUMNS },
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
      ...columns([...INVOICE_MONEY, ...ROW_SUMS], 'text'),
    },
    key: ['invoice_number', 'version', 'currency'],
  },
  invoice_status: {
    columns: { invoice_number: 'integer', evidence_id: 'integer', seen_at: 'text', status: 'text' },
    key: ['invoice_number', 'evidence_id'],
  },
  order_listing: {
    columns: {
      order_id: 'text',
      invoice_number: 'integer',
      evidence_id: 'integer',
      seen_at: 'text',
      listed: 'integer',
    },
    key: ['order_id', 'invoice_number', 'evidence_id'],
  },
  invoice_presence: {
    columns: { invoice_number: 'integer', evidence_id: 'integer', seen_at: 'text', present: 'integer' },
    key: ['invoice_number', 'evidence_id'],
  },
});

/** What settlement sheets say beside what an invoice of the API does. */
const SETTLEMENTS: Tables = ofCourier({
  settlement_number: {
    columns: { number_text: 'text', number: 'integer' },
    key: ['number_text'],
  },
  settlement: {
    columns: { number: 'integer', evidence_id: 'integer' },
    key: ['number'],
    refers: { number: 'invoice.number' },
  },
  settlement_row: {
    columns: { invoice_number: 'integer', position: 'integer', line: 'integer', delivered_on: 'text?' },
    key: ['invoice_number', 'position'],
    refers: { invoice_number: 'invoice.number' },
  },
  settlement_computed: {
    columns: { invoice_number: 'integer', currency: 'text', field: 'text' },
    key: ['invoice_number', 'currency', 'field'],
    refers: { invoice_number: 'invoice.number' },
  },
  invoice_charge: {
    columns: { invoice_number: 'integer', kind: 'text', name: 'text', currency: 'text', amount: 'integer' },
    key: ['invoice_number', 'kind', 'name', 'currency'],
    refers: { invoice_number: 'invoice.number' },
  },
  invoice_version_charge: {
    columns: {
      invoice_number: 'integer',
      version: 'integer',
      kind: 'text',
      name: 'text',
      currency: 'text',
      amount: 'text',
    },
    key: ['invoice_number', 'version', 'kind', 'name', 'currency'],
  },
  invoice_order_charge: {
    columns: {
      invoice_number: 'integer',
      position: 'integer',
      kind: 'text',
      name: 'text',
      currency: 'text',
      amount: 'integer',
    },
    key: ['invoice_number', 'position', 'kind', 'name', 'currency'],
    refers: { invoice_number: 'invoice.number' },
  },
});

/** The courier's own record of each order, and how it changed. */
const ORDER_BOOK: Tables = ofCourier({
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
      delivered_evidence_id: 'integer?',
      fee_stated: 'integer',
      record_sha256: 'text',
      record_part: 'integer',
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
    columns: { order_id: 'text', currency: 'text', ...ORDER_COLUMNS },
    key: ['order_id', 'currency'],
    refers: { order_id: 'courier_order.order_id' },
  },
  courier_order_delivered_amount: {
    columns: { order_id: 'text', currency: 'text', ...ORDER_COLUMNS },
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
});

const IS_RETURN = "workflow = 'RETURN'";

/** Orders that are not as most are: each kind has an index of its own. */
const UNUSUAL_ORDERS = {
  undelivered: 'delivered_seen_at is null',
  without_fee: 'fee_stated = 0',
  returned: IS_RETURN,
  gone: 'vanished_at is not null or superseded_at is not null',
};

/** What checks found, what people decided about it, and what was claimed from the courier. */
const FINDINGS: Tables = ofCourier({
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
      amount: 'text?',
      sentence: 'text',
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
      sentence: 'text?',
    },
    key: ['mismatch_id', 'evidence_id'],
    refers: { mismatch_id: 'mismatch.id' },
    appendOnly: true,
  },
  mismatch_effect: {
    columns: { mismatch_id: 'text', evidence_id: 'integer', at: 'text', period: 'text', effect: 'text?' },
    key: ['mismatch_id', 'evidence_id'],
    refers: { mismatch_id: 'mismatch.id' },
    appendOnly: true,
  },
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
      section: 'text',
      line: 'integer',
      claimed: 'text',
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
      sentence: 'text?',
      currency: 'text?',
      effect: 'text?',
    },
    key: ['mismatch_id', 'evidence_id'],
    refers: { mismatch_id: 'mismatch.id' },
    appendOnly: true,
  },
});

/** Your own records: imported files, and the orders, receipts, tariffs and exchange rates in them. */
const OWN_SIDE: Tables = {
  imported: {
    columns: {
      id: 'integer',
      at: 'text',
      actor: 'text',
      kind: 'text',
      format: 'text',
      source: 'text',
      sha256: 'text',
      map: 'text?',
      column_map: 'text?',
      allow_gap: 'integer',
      account: 'text?',
      courier: 'text?',
      run_id: 'integer?',
      rows: 'integer',
      new: 'integer',
      changed: 'integer',
      unchanged: 'integer',
      skipped: 'integer',
      last_receipt: 'integer',
      undone_at: 'text?',
      undone_by: 'text?',
      undone_why: 'text?',
    },
    key: ['id'],
    indexes: { sha256: ['sha256', 'kind'] },
  },
  own_order: {
    columns: {
      reference: 'text',
      ordered_on: 'text?',
      status: 'text?',
      district: 'text?',
      note: 'text?',
      first_evidence_id: 'integer',
      evidence_id: 'integer',
    },
    key: ['reference'],
  },
  own_order_amount: {
    columns: { reference: 'text', currency: 'text', cod: 'integer' },
    key: ['reference', 'currency'],
    refers: { reference: 'own_order.reference' },
  },
  own_order_change: {
    columns: {
      reference: 'text',
      evidence_id: 'integer',
      field: 'text',
      currency: 'text',
      before: 'text?',
      after: 'text?',
    },
    key: ['reference', 'evidence_id', 'field', 'currency'],
    refers: { reference: 'own_order.reference' },
  },
  bank_statement: {
    columns: {
      evidence_id: 'integer',
      position: 'integer',
      account: 'text?',
      currency: 'text',
      from_day: 'text?',
      to_day: 'text?',
      opening: 'text?',
      closing: 'text?',
      balanced: 'integer?',
    },
    key: ['evidence_id', 'position'],
    refers: { evidence_id: 'imported.id' },
  },
  receipt: {
    columns: {
      id: 'integer',
      evidence_id: 'integer',
      line: 'integer',
      account: 'text?',
      date: 'text',
      value_date: 'text?',
      amount: 'integer',
      currency: 'text',
      text: 'text',
      counterparty: 'text?',
      counterparty_account: 'text?',
      reference: 'text?',
      invoice: 'text?',
      replaced_by: 'integer?',
    },
    key: ['id'],
    indexes: { date: ['date'] },
  },
  receipt_line: {
    columns: {
      evidence_id: 'integer',
      position: 'integer',
      receipt_id: 'integer',
      account: 'text?',
      bank_id: 'text?',
      date: 'text',
      amount: 'integer',
      currency: 'text',
      text: 'text',
      replaced_by: 'integer?',
    },
    key: ['evidence_id', 'position'],
    refers: { evidence_id: 'imported.id', receipt_id: 'receipt.id' },
    indexes: { receipt: ['receipt_id'] },
  },
  receipt_replacement: {
    columns: { id: 'integer', import_id: 'integer', at: 'text', actor: 'text', lines: 'integer' },
    key: ['id'],
    refers: { import_id: 'imported.id' },
  },
  tariff_line: {
    columns: {
      evidence_id: 'integer',
      line: 'integer',
      of_courier: 'text?',
      workflow: 'text?',
      district: 'text?',
      area: 'text?',
      merchant_location: 'text?',
      from_day: 'text?',
      to_day: 'text?',
      currency: 'text',
      fee: 'integer',
      per_package: 'integer?',
    },
    key: ['evidence_id', 'line'],
    refers: { evidence_id: 'imported.id' },
  },
  rate_line: {
    columns: {
      evidence_id: 'integer',
      line: 'integer',
      date: 'text',
      from_currency: 'text',
      to_currency: 'text',
      rate: 'text',
    },
    key: ['evidence_id', 'line'],
    refers: { evidence_id: 'imported.id' },
  },
};

/** Which receipts pay which invoices. */
const MATCHES: Tables = ofCourier({
  receipt_match: {
    columns: {
      id: 'integer',
      evidence_id: 'integer',
      at: 'text',
      actor: 'text',
      rule: 'text',
      currency: 'text',
      due: 'integer',
      difference: 'integer',
      difference_kind: 'text?',
      note: 'text?',
      why: 'text',
      reverses: 'integer?',
      claim: 'text?',
      rate: 'text?',
      paid_currency: 'text?',
      removed_at: 'text?',
      removed_by: 'text?',
      removed_why: 'text?',
    },
    key: ['id'],
  },
  receipt_match_receipt: {
    columns: { match_id: 'integer', receipt_id: 'integer', amount: 'integer' },
    key: ['match_id', 'receipt_id'],
    refers: { match_id: 'receipt_match.id' },
    indexes: { receipt: ['receipt_id'] },
  },
  receipt_match_invoice: {
    columns: { match_id: 'integer', invoice_number: 'integer', amount: 'integer', named: 'integer' },
    key: ['match_id', 'invoice_number'],
    refers: { match_id: 'receipt_match.id' },
    indexes: { invoice: ['invoice_number'] },
  },
});

/** The close log: closed months, what each close froze, and reopened months. A close is of the whole books, with a row for each courier. */
const CLOSES: Tables = ofCourier({
  period_close: {
    columns: {
      id: 'integer',
      period: 'text',
      at: 'text',
      actor: 'text',
      is_first: 'integer',
      with_open: 'text?',
      time_zone: 'text',
      figures_sha256: 'text',
      chain: 'text',
    },
    key: ['id'],
    indexes: { period: ['period'] },
    appendOnly: true,
  },
  period_close_figure: {
    columns: { close_id: 'integer', section: 'text', currency: 'text', figure: 'text', value: 'text' },
    key: ['close_id', 'section', 'currency', 'figure'],
    refers: { close_id: 'period_close.id' },
    appendOnly: true,
  },
  period_close_item: {
    columns: {
      close_id: 'integer',
      kind: 'text',
      subject: 'integer',
      currency: 'text',
      issued_on: 'text',
      net_due_to_merchant: 'text',
      received: 'text',
      differences: 'text',
      open: 'text',
    },
    key: ['close_id', 'kind', 'subject', 'currency'],
    refers: { close_id: 'period_close.id' },
    appendOnly: true,
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
    appendOnly: true,
  },
  period_close_finding: {
    columns: { close_id: 'integer', mismatch_id: 'text', code: 'text', currency: 'text?', effect: 'text?' },
    key: ['close_id', 'mismatch_id'],
    refers: { close_id: 'period_close.id' },
    appendOnly: true,
  },
  period_reopen: {
    columns: { id: 'integer', close_id: 'integer', period: 'text', at: 'text', actor: 'text', reason: 'text' },
    key: ['id'],
    refers: { close_id: 'period_close.id' },
    indexes: { close: ['close_id'] },
    appendOnly: true,
  },
});

/**
 * The whole schema: the tables, one group a subject, then the views. Columns of money count 1/10,000 of the currency's unit, times are
 * ISO 8601 text, flags are 0 or 1. The writer gives every key, so that a replay of the evidence makes the same rows in any database.
 */
export function schema(dialect: MigrationDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      // In this order: a table comes after those that it refers to.
      for (const tables of [
        EVIDENCE,
        COURIERS,
        RUNS,
        INVOICES,
        SETTLEMENTS,
        ORDER_BOOK,
        FINDINGS,
        OWN_SIDE,
        MATCHES,
        CLOSES,
      ]) {
        for (const [name, spec] of Object.entries(tables)) await createTable(db, dialect, name, spec);
      }
      // Few changes go backwards: without this index a check reads the whole history, which grows every night.
      await sql`create index order_change_backward on order_change (courier, order_id) where backward = 1`.execute(db);
      // Checks begin with the few orders of these kinds, and need not read the record of every row.
      for (const [kind, condition] of Object.entries(UNUSUAL_ORDERS)) {
        const name = sql.id(`courier_order_${kind}`);
        await sql`create index ${name} on courier_order (courier, order_id) where ${sql.raw(condition)}`.execute(db);
      }
      // How returns are invoiced is learnt from all invoices, at each check and report.
      const ofReturns = sql.raw(`(courier, invoice_number, position) where ${IS_RETURN}`);
      await sql`create index invoice_order_returned on invoice_order ${ofReturns}`.execute(db);
      for (const [name, query] of Object.entries(viewsOf(dialect))) {
        await sql`create view ${sql.table(name)} as ${query}`.execute(db);
      }
    },
  };
}

/** What people open in other tools: the rows of the reports. */
function viewsOf(dialect: MigrationDialect) {
  return {
    ...rowViews(dialect),
    ...monthViews(dialect),
    ...lagView(dialect),
    ...changesView(dialect),
    ...evidenceViews(dialect),
  };
}

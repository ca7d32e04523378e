import { MONEY_FIELDS, ORDER_MONEY_FIELDS } from '../money/index.ts';
import type { LedgerSchema } from './schema.ts';

/** What a table is made of, for those who go through every table: dumps, copies, exports. */
export interface TableShape {
  /** The primary key: rows are unique by it, and dumped in its order. */
  readonly key: readonly string[];
  /** Columns of money units, which are read as text. */
  readonly money: readonly string[];
  /** How many rows to hold at a time, where they are large. */
  readonly page?: number;
}

const table = (key: readonly string[], money: readonly string[] = []): TableShape => ({ key, money });

/** What became known: from these all other tables can be made again. */
export const EVIDENCE_TABLES = {
  evidence_body: { ...table(['sha256']), page: 50 },
  evidence_pack: { ...table(['first_part']), page: 10 },
  evidence_part: table(['sha256']),
  evidence: table(['id']),
  chain: table(['id']),
} as const satisfies Partial<Record<keyof LedgerSchema, TableShape>>;

/** What is derived from it, parents before children. */
export const DERIVED_TABLES = {
  run: table(['id']),
  account: table(['id']),
  listing: table(['id']),
  unreadable: table(['kind', 'subject']),
  invoice_listed: table(['period', 'invoice_number']),
  invoice_listed_amount: table(['period', 'invoice_number', 'currency'], MONEY_FIELDS),
  invoice: table(['number']),
  invoice_missing: table(['invoice_number']),
  invoice_amount: table(['invoice_number', 'currency'], MONEY_FIELDS),
  invoice_order: table(['invoice_number', 'position']),
  invoice_order_amount: table(['invoice_number', 'position', 'currency'], ORDER_MONEY_FIELDS),
  invoice_version: table(['invoice_number', 'version']),
  invoice_version_amount: table(['invoice_number', 'version', 'currency']),
  invoice_status: table(['invoice_number', 'evidence_id']),
  invoice_presence: table(['invoice_number', 'evidence_id']),
  courier_order: table(['order_id']),
  courier_order_amount: table(['order_id', 'currency'], ORDER_MONEY_FIELDS),
  courier_order_delivered_amount: table(['order_id', 'currency'], ORDER_MONEY_FIELDS),
  statestamp: table(['order_id', 'position']),
  order_change: table(['order_id', 'evidence_id', 'what', 'to_part']),
  mismatch: table(['id']),
  mismatch_month: table(['period', 'mismatch_id']),
  mismatch_event: table(['mismatch_id', 'evidence_id']),
  claim: table(['mismatch_id']),
  claim_event: table(['mismatch_id', 'evidence_id']),
  imported: table(['id']),
  own_order: table(['reference']),
  own_order_amount: table(['reference', 'currency'], ['cod']),
  own_order_change: table(['reference', 'evidence_id', 'field', 'currency']),
  bank_statement: table(['evidence_id', 'position']),
  receipt: table(['id'], ['amount']),
  receipt_line: table(['evidence_id', 'position'], ['amount']),
  tariff_line: table(['evidence_id', 'line'], ['fee', 'per_package']),
  rate_line: table(['evidence_id', 'line']),
  receipt_match: table(['id'], ['due', 'difference']),
  receipt_match_receipt: table(['match_id', 'receipt_id'], ['amount']),
  receipt_match_invoice: table(['match_id', 'invoice_number'], ['amount', 'named']),
  period_close: table(['id']),
  period_close_figure: table(['close_id', 'section', 'currency', 'figure']),
  period_close_document: table(['close_id', 'kind', 'subject']),
  period_close_finding: table(['close_id', 'mismatch_id']),
  period_reopen: table(['id']),
} as const satisfies Record<Exclude<keyof LedgerSchema, keyof typeof EVIDENCE_TABLES>, TableShape>;

export type DerivedTable = keyof typeof DERIVED_TABLES;

import { MONEY_FIELDS, ORDER_MONEY_FIELDS, PRICE_FIGURES } from '../money/fields.ts';
import type { LedgerSchema } from './schema.ts';

/** What dumps, copies and exports need to know to read any table. */
export interface TableShape {
  /** The primary key: rows are unique by it, and dumped in its order. */
  readonly key: readonly string[];
  /** Columns of money units, which are read as text. */
  readonly money: readonly string[];
}

/** The shapes of tables, by name. */
export type TableShapes = Readonly<Record<string, TableShape>>;

const table = (key: readonly string[], money: readonly string[] = []): TableShape => ({ key, money });

/** A table in which each row belongs to one courier: two couriers may use the same number. */
const ofCourier = (key: readonly string[], money: readonly string[] = []): TableShape =>
  table(['courier', ...key], money);

/** The evidence: all other tables can be made again from these. */
export const EVIDENCE_TABLES = {
  evidence_body: table(['sha256']),
  evidence_pack: table(['first_part']),
  evidence_part: table(['sha256']),
  evidence: table(['id']),
  chain: table(['id']),
} as const satisfies Partial<Record<keyof LedgerSchema, TableShape>>;

/** What is derived from the evidence, parents before children. */
export const DERIVED_TABLES = {
  courier: table(['key']),
  courier_name: table(['key', 'evidence_id']),
  run: ofCourier(['id']),
  account: ofCourier(['id']),
  listing: ofCourier(['id']),
  returns_adopted: ofCourier(['id']),
  unreadable: ofCourier(['kind', 'subject']),
  invoice_listed: ofCourier(['period', 'invoice_number']),
  invoice_listed_amount: ofCourier(['period', 'invoice_number', 'currency'], MONEY_FIELDS),
  invoice: ofCourier(['number']),
  invoice_missing: ofCourier(['invoice_number']),
  invoice_amount: ofCourier(['invoice_number', 'currency'], MONEY_FIELDS),
  invoice_order: ofCourier(['invoice_number', 'position']),
  invoice_order_amount: ofCourier(['invoice_number', 'position', 'currency'], ORDER_MONEY_FIELDS),
  invoice_version: ofCourier(['invoice_number', 'version']),
  invoice_version_amount: ofCourier(['invoice_number', 'version', 'currency']),
  invoice_status: ofCourier(['invoice_number', 'evidence_id']),
  invoice_presence: ofCourier(['invoice_number', 'evidence_id']),
  order_listing: ofCourier(['order_id', 'invoice_number', 'evidence_id']),
  settlement_number: ofCourier(['number_text']),
  settlement: ofCourier(['number']),
  settlement_row: ofCourier(['invoice_number', 'position'], ['weight']),
  settlement_row_net: ofCourier(['invoice_number', 'position', 'currency'], ['net']),
  settlement_computed: ofCourier(['invoice_number', 'currency', 'field']),
  invoice_charge: ofCourier(['invoice_number', 'kind', 'name', 'currency'], ['amount']),
  invoice_version_charge: ofCourier(['invoice_number', 'version', 'kind', 'name', 'currency']),
  invoice_order_charge: ofCourier(['invoice_number', 'position', 'kind', 'name', 'currency'], ['amount']),
  courier_order: ofCourier(['order_id']),
  courier_order_amount: ofCourier(['order_id', 'currency'], ORDER_MONEY_FIELDS),
  courier_order_delivered_amount: ofCourier(['order_id', 'currency'], ORDER_MONEY_FIELDS),
  statestamp: ofCourier(['order_id', 'position']),
  webhook: ofCourier(['evidence_id']),
  order_change: ofCourier(['order_id', 'evidence_id', 'what', 'to_part']),
  mismatch: ofCourier(['id']),
  mismatch_month: ofCourier(['period', 'mismatch_id']),
  mismatch_event: ofCourier(['mismatch_id', 'evidence_id']),
  mismatch_effect: ofCourier(['mismatch_id', 'evidence_id']),
  claim: ofCourier(['mismatch_id']),
  claim_event: ofCourier(['mismatch_id', 'evidence_id']),
  imported: table(['id']),
  own_order: table(['reference']),
  own_order_amount: table(['reference', 'currency'], ['cod']),
  own_order_change: table(['reference', 'evidence_id', 'field', 'currency']),
  bank_statement: table(['evidence_id', 'position']),
  receipt: table(['id'], ['amount']),
  receipt_line: table(['evidence_id', 'position'], ['amount', 'balance']),
  receipt_replacement: table(['id']),
  tariff_line: table(['evidence_id', 'line'], ['fee', ...PRICE_FIGURES]),
  rate_line: table(['evidence_id', 'line']),
  receipt_match: ofCourier(['id'], ['due', 'difference']),
  receipt_match_receipt: ofCourier(['match_id', 'receipt_id'], ['amount']),
  receipt_match_invoice: ofCourier(['match_id', 'invoice_number'], ['amount', 'named']),
  period_close: ofCourier(['id']),
  period_close_figure: ofCourier(['close_id', 'section', 'currency', 'figure']),
  period_close_item: ofCourier(['close_id', 'kind', 'subject', 'currency']),
  period_close_document: ofCourier(['close_id', 'kind', 'subject']),
  period_close_finding: ofCourier(['close_id', 'mismatch_id']),
  period_reopen: ofCourier(['id']),
} as const satisfies Record<Exclude<keyof LedgerSchema, keyof typeof EVIDENCE_TABLES>, TableShape>;

/** Every table, parents before children. */
export const ALL_TABLES: TableShapes = { ...EVIDENCE_TABLES, ...DERIVED_TABLES };

export type DerivedTable = keyof typeof DERIVED_TABLES;

/** The names of the tables in which each row belongs to one courier. */
export const COURIER_TABLES: ReadonlySet<string> = new Set(
  Object.entries(DERIVED_TABLES).flatMap(([name, { key }]) => (key[0] === 'courier' ? [name] : [])),
);

/**
 * The ledger's tables, one interface each, grouped as in `migrations/0001_schema.ts`. `evidence` and its bodies are
 * what became known, append-only and chained; every other table is derived from them and can be made again. Money
 * columns count 1/10,000 of the currency's unit: written as bigint, read as text (`cast(... as text)`), because a
 * JavaScript number cannot hold all of them. Times are ISO 8601 text, flags 0 or 1. The writer gives every key, never
 * the database, so that a replay and a copy have the same keys.
 */
import type { Kysely } from 'kysely';
import type * as closes from './schema/closes.ts';
import type { CourierNameTable, CourierTable, OfCourier } from './schema/couriers.ts';
import type * as evidence from './schema/evidence.ts';
import type * as findings from './schema/findings.ts';
import type * as invoices from './schema/invoices.ts';
import type * as book from './schema/order-book.ts';
import type * as own from './schema/own-side.ts';

export type * from './schema/closes.ts';
export type * from './schema/couriers.ts';
export type * from './schema/evidence.ts';
export type * from './schema/findings.ts';
export type * from './schema/invoices.ts';
export type * from './schema/order-book.ts';
export type * from './schema/own-side.ts';

export interface LedgerSchema {
  evidence: evidence.EvidenceTable;
  chain: evidence.ChainTable;
  evidence_body: evidence.EvidenceBodyTable;
  evidence_pack: evidence.EvidencePackTable;
  evidence_part: evidence.EvidencePartTable;
  courier: CourierTable;
  courier_name: CourierNameTable;
  run: OfCourier<evidence.RunTable>;
  account: OfCourier<evidence.AccountTable>;
  returns_adopted: OfCourier<evidence.ReturnsAdoptedTable>;
  unreadable: OfCourier<evidence.UnreadableTable>;
  listing: OfCourier<invoices.ListingTable>;
  invoice_listed: OfCourier<invoices.InvoiceListedTable>;
  invoice_listed_amount: OfCourier<invoices.InvoiceListedAmountTable>;
  invoice: OfCourier<invoices.InvoiceTable>;
  invoice_missing: OfCourier<invoices.InvoiceMissingTable>;
  invoice_amount: OfCourier<invoices.InvoiceAmountTable>;
  invoice_order: OfCourier<invoices.InvoiceOrderTable>;
  invoice_order_amount: OfCourier<invoices.InvoiceOrderAmountTable>;
  invoice_version: OfCourier<invoices.InvoiceVersionTable>;
  invoice_version_amount: OfCourier<invoices.InvoiceVersionAmountTable>;
  invoice_status: OfCourier<invoices.InvoiceStatusTable>;
  invoice_presence: OfCourier<invoices.InvoicePresenceTable>;
  order_listing: OfCourier<invoices.OrderListingTable>;
  settlement_number: OfCourier<invoices.SheetNumberTable>;
  settlement: OfCourier<invoices.SheetInvoiceTable>;
  settlement_row: OfCourier<invoices.SheetRowTable>;
  settlement_row_net: OfCourier<invoices.SheetRowNetTable>;
  settlement_computed: OfCourier<invoices.SheetComputedTable>;
  invoice_charge: OfCourier<invoices.InvoiceChargeTable>;
  invoice_order_charge: OfCourier<invoices.InvoiceOrderChargeTable>;
  invoice_version_charge: OfCourier<invoices.InvoiceVersionChargeTable>;
  courier_order: OfCourier<book.CourierOrderTable>;
  courier_order_amount: OfCourier<book.CourierOrderAmountTable>;
  courier_order_delivered_amount: OfCourier<book.CourierOrderAmountTable>;
  statestamp: OfCourier<book.StatestampTable>;
  order_change: OfCourier<book.OrderChangeTable>;
  webhook: OfCourier<book.WebhookTable>;
  mismatch: OfCourier<findings.MismatchTable>;
  mismatch_month: OfCourier<findings.MismatchMonthTable>;
  mismatch_event: OfCourier<findings.MismatchEventTable>;
  mismatch_effect: OfCourier<findings.MismatchEffectTable>;
  claim: OfCourier<findings.ClaimTable>;
  claim_event: OfCourier<findings.ClaimEventTable>;
  imported: own.ImportedTable;
  own_order: own.OwnOrderTable;
  own_order_amount: own.OwnOrderAmountTable;
  own_order_change: own.OwnOrderChangeTable;
  bank_statement: own.BankStatementTable;
  receipt: own.ReceiptTable;
  receipt_line: own.ReceiptLineTable;
  receipt_replacement: own.ReceiptReplacementTable;
  tariff_line: own.TariffLineTable;
  rate_line: own.RateLineTable;
  receipt_match: OfCourier<own.ReceiptMatchTable>;
  receipt_match_receipt: OfCourier<own.ReceiptMatchReceiptTable>;
  receipt_match_invoice: OfCourier<own.ReceiptMatchInvoiceTable>;
  period_close: OfCourier<closes.PeriodCloseTable>;
  period_close_figure: OfCourier<closes.PeriodCloseFigureTable>;
  period_close_item: OfCourier<closes.PeriodCloseItemTable>;
  period_close_document: OfCourier<closes.PeriodCloseDocumentTable>;
  period_close_finding: OfCourier<closes.PeriodCloseFindingTable>;
  period_reopen: OfCourier<closes.PeriodReopenTable>;
}

/** An open ledger, a snapshot of one, or an open transaction; it may be narrowed to one courier. */
export type LedgerDb = Kysely<LedgerSchema>;

/**
 * The ledger's tables, one interface each, grouped as in `migrations/0001_schema.ts`. `evidence` and its bodies are
 * what became known, append-only and chained; every other table is derived from them and can be made again. Money
 * columns count 1/10,000 of the currency's unit: written as bigint, read as text (`cast(... as text)`), because a
 * JavaScript number cannot hold all of them. Times are ISO 8601 text, flags 0 or 1. The writer gives every key, never
 * the database, so that a replay and a copy have the same keys.
 */
import type {
  PeriodCloseDocumentTable,
  PeriodCloseFigureTable,
  PeriodCloseFindingTable,
  PeriodCloseItemTable,
  PeriodCloseTable,
  PeriodReopenTable,
} from './schema/closes.ts';
import type { CourierNameTable, CourierTable, OfCourier } from './schema/couriers.ts';
import type {
  AccountTable,
  ChainTable,
  EvidenceBodyTable,
  EvidencePackTable,
  EvidencePartTable,
  EvidenceTable,
  ReturnsAdoptedTable,
  RunTable,
  UnreadableTable,
} from './schema/evidence.ts';
import type {
  ClaimEventTable,
  ClaimTable,
  MismatchEffectTable,
  MismatchEventTable,
  MismatchMonthTable,
  MismatchTable,
} from './schema/findings.ts';
import type {
  InvoiceAmountTable,
  InvoiceListedAmountTable,
  InvoiceListedTable,
  InvoiceMissingTable,
  InvoiceOrderAmountTable,
  InvoiceOrderTable,
  InvoicePresenceTable,
  InvoiceStatusTable,
  InvoiceTable,
  InvoiceVersionAmountTable,
  InvoiceVersionTable,
  ListingTable,
  OrderListingTable,
} from './schema/invoices.ts';
import type {
  CourierOrderAmountTable,
  CourierOrderDeliveredAmountTable,
  CourierOrderTable,
  OrderChangeTable,
  StatestampTable,
  WebhookTable,
} from './schema/order-book.ts';
import type {
  BankStatementTable,
  ImportedTable,
  OwnOrderAmountTable,
  OwnOrderChangeTable,
  OwnOrderTable,
  RateLineTable,
  ReceiptLineTable,
  ReceiptMatchInvoiceTable,
  ReceiptMatchReceiptTable,
  ReceiptMatchTable,
  ReceiptReplacementTable,
  ReceiptTable,
  TariffLineTable,
} from './schema/own-side.ts';
import type {
  InvoiceChargeTable,
  InvoiceOrderChargeTable,
  InvoiceVersionChargeTable,
  SheetComputedTable,
  SheetInvoiceTable,
  SheetNumberTable,
  SheetRowNetTable,
  SheetRowTable,
} from './schema/settlements.ts';

export type * from './schema/closes.ts';
export type * from './schema/couriers.ts';
export type * from './schema/evidence.ts';
export type * from './schema/findings.ts';
export type * from './schema/invoices.ts';
export type * from './schema/order-book.ts';
export type * from './schema/own-side.ts';
export type * from './schema/settlements.ts';

export interface LedgerSchema {
  evidence: EvidenceTable;
  chain: ChainTable;
  evidence_body: EvidenceBodyTable;
  evidence_pack: EvidencePackTable;
  evidence_part: EvidencePartTable;
  courier: CourierTable;
  courier_name: CourierNameTable;
  run: OfCourier<RunTable>;
  account: OfCourier<AccountTable>;
  returns_adopted: OfCourier<ReturnsAdoptedTable>;
  unreadable: OfCourier<UnreadableTable>;
  listing: OfCourier<ListingTable>;
  invoice_listed: OfCourier<InvoiceListedTable>;
  invoice_listed_amount: OfCourier<InvoiceListedAmountTable>;
  invoice: OfCourier<InvoiceTable>;
  invoice_missing: OfCourier<InvoiceMissingTable>;
  invoice_amount: OfCourier<InvoiceAmountTable>;
  invoice_order: OfCourier<InvoiceOrderTable>;
  invoice_order_amount: OfCourier<InvoiceOrderAmountTable>;
  invoice_version: OfCourier<InvoiceVersionTable>;
  invoice_version_amount: OfCourier<InvoiceVersionAmountTable>;
  invoice_status: OfCourier<InvoiceStatusTable>;
  invoice_presence: OfCourier<InvoicePresenceTable>;
  order_listing: OfCourier<OrderListingTable>;
  settlement_number: OfCourier<SheetNumberTable>;
  settlement: OfCourier<SheetInvoiceTable>;
  settlement_row: OfCourier<SheetRowTable>;
  settlement_row_net: OfCourier<SheetRowNetTable>;
  settlement_computed: OfCourier<SheetComputedTable>;
  invoice_charge: OfCourier<InvoiceChargeTable>;
  invoice_order_charge: OfCourier<InvoiceOrderChargeTable>;
  invoice_version_charge: OfCourier<InvoiceVersionChargeTable>;
  courier_order: OfCourier<CourierOrderTable>;
  courier_order_amount: OfCourier<CourierOrderAmountTable>;
  courier_order_delivered_amount: OfCourier<CourierOrderDeliveredAmountTable>;
  statestamp: OfCourier<StatestampTable>;
  order_change: OfCourier<OrderChangeTable>;
  webhook: OfCourier<WebhookTable>;
  mismatch: OfCourier<MismatchTable>;
  mismatch_month: OfCourier<MismatchMonthTable>;
  mismatch_event: OfCourier<MismatchEventTable>;
  mismatch_effect: OfCourier<MismatchEffectTable>;
  claim: OfCourier<ClaimTable>;
  claim_event: OfCourier<ClaimEventTable>;
  imported: ImportedTable;
  own_order: OwnOrderTable;
  own_order_amount: OwnOrderAmountTable;
  own_order_change: OwnOrderChangeTable;
  bank_statement: BankStatementTable;
  receipt: ReceiptTable;
  receipt_line: ReceiptLineTable;
  receipt_replacement: ReceiptReplacementTable;
  tariff_line: TariffLineTable;
  rate_line: RateLineTable;
  receipt_match: OfCourier<ReceiptMatchTable>;
  receipt_match_receipt: OfCourier<ReceiptMatchReceiptTable>;
  receipt_match_invoice: OfCourier<ReceiptMatchInvoiceTable>;
  period_close: OfCourier<PeriodCloseTable>;
  period_close_figure: OfCourier<PeriodCloseFigureTable>;
  period_close_item: OfCourier<PeriodCloseItemTable>;
  period_close_document: OfCourier<PeriodCloseDocumentTable>;
  period_close_finding: OfCourier<PeriodCloseFindingTable>;
  period_reopen: OfCourier<PeriodReopenTable>;
}

/** What the courier's server holds, in the shapes of its API. Texts, so that a document can also be wrong. */
export type Pair = [currency: string, amount: string];

export interface Stamp {
  delivery_state: string;
  payment_state: string;
  timestamp: string;
}

export interface OrderDocument {
  order_id: string;
  reference_id: string;
  workflow: string;
  cod: Pair[];
  delivery_fee: Pair[];
  delivery_state: string;
  payment_state: string;
  merchant_invoice: number | null;
  statestamps: Stamp[];
}

export interface InvoiceRow {
  order_id: string;
  reference_id: string;
  workflow: string;
  delivery_state: string;
  payment_state: string;
  cod: Pair[];
  delivery_fee: Pair[];
}

export interface Header {
  number: number;
  status: string;
  issued_at: string;
  cod: Pair[];
  delivery_fee: Pair[];
  net_due_to_merchant: Pair[];
}

export interface InvoiceDocument extends Header {
  orders: InvoiceRow[];
}

export interface ListRow extends Header {
  status_display: string;
  order_count: number;
}

/** What a request for a document is answered with instead of it. */
export type Fault = 'amount' | 'not-found' | 'broken' | 'server-error';

export interface HeldInvoice {
  detail: InvoiceDocument;
  row: ListRow;
  detailFault?: Fault | undefined;
  rowFault?: boolean | undefined;
}

/** The state of the server, of one merchant. */
export interface ServerState {
  /** Invoice numbers by the month that lists them. */
  readonly months: Map<string, Set<number>>;
  readonly invoices: Map<number, HeldInvoice>;
  readonly orders: Map<string, OrderDocument>;
  /** Orders whose record is unreadable. */
  readonly orderFaults: Set<string>;
  /** By how much `count` of a month's listing (or of `orders`) is more than what it brings. */
  readonly countOff: Map<string, number>;
  /** Every request is refused. */
  down: boolean;
  /** Orders ever made: their ids never come twice. */
  made: number;
  /** Details as they were, to be put back. */
  readonly kept: Map<number, InvoiceDocument>;
  /** Orders that left the book. */
  readonly gone: OrderDocument[];
}

export const clone = <T>(document: T): T => structuredClone(document);

/** Currency to COD and fee, as plain decimal text. */
export type Amounts = Readonly<Record<string, readonly [cod: string, fee: string]>>;

/** An order as the courier's order book holds it. */
export interface PlacedOrder {
  readonly order_id: string;
  reference_id: string;
  /** `RETURN` for what comes back; `STANDARD` unless said otherwise. */
  workflow: string;
  delivery_state: string;
  payment_state: string;
  /** When it was delivered; null while it never was. */
  delivered_at: string | null;
  merchant_invoice: number | null;
  /** Where it is picked up: each order has a place of its own. */
  readonly merchant_location: number;
  amounts: Amounts;
}

export interface PlantRow {
  order_id: string;
  reference_id: string;
  workflow: string;
  delivery_state: string;
  payment_state: string;
  amounts: Amounts;
}

/** An invoice as the courier holds it. Its header is the sum of its rows, but where `header` says otherwise. */
export interface Bill {
  readonly number: number;
  status: string;
  issued_at: string;
  /** The months whose lists hold it. */
  months: readonly string[];
  rows: PlantRow[];
  /** Currency to what the header states besides, or less: COD, fee, net. */
  header: Readonly<Record<string, readonly [cod: string, fee: string, net: string]>>;
  /** Fields in which the list's row differs from the detail. */
  listed: object;
  /** Its detail is no invoice. */
  isUnreadable: boolean;
}

/** The courier's own books, in which a plant changes something between two syncs. What they hold while they are clean: app/selftest/clean.ts. */
export interface CourierBooks {
  readonly orders: Map<string, PlacedOrder>;
  readonly bills: Map<number, Bill>;
  /** Months whose list states an invoice more than it shows. */
  readonly overstated: Set<string>;
  /** Orders about which it sends a webhook before the next sync. */
  readonly messages: string[];
  /** Puts an order into the order book: delivered on a day, or on its way. */
  place(order_id: string, delivered: string | null, amounts?: Amounts): PlacedOrder;
  /** Bills orders of the order book as their records say, and lets these name the invoice. `PAID` unless said otherwise. */
  bill(number: number, issued: string, orderIds: readonly string[], status?: string): Bill;
  /** Adds an order's row to an invoice; pending payment unless said otherwise. */
  addRow(bill: Bill, orderId: string, payment_state?: string): PlantRow;
}

export interface OwnReceipt {
  date: string;
  amount: string;
  currency: string;
  text: string;
  invoice: string;
}

/** The merchant's own side, a row a line: what agrees with the courier's books, until a plant changes it. */
export interface OwnFiles {
  /** By reference and currency, as `ref-A1,USD`. */
  readonly orders: Map<string, { status: string; cod: string }>;
  /** By invoice and currency, as `1001 USD`, or a name. */
  readonly receipts: Map<string, OwnReceipt>;
  /** By order and currency, as `B1 USD`: each order has a pickup place of its own, and with it a price of its own. */
  readonly tariff: Map<string, { location: number; currency: string; fee: string }>;
}

/** Money that a mismatch takes in a month, in one currency. */
export interface PlantedEffect {
  readonly period: string;
  readonly currency: string;
  /** As the bridge prints it: negative where you are short. */
  readonly effect: string;
}

/** A mismatch put into books that are clean otherwise, so that its check, and no other, finds something. */
export interface Plant {
  /** The months that are closed before anything goes wrong, the first of the books first; none where absent. */
  readonly closes?: readonly string[];
  /** What the courier does between two syncs, night by night; absent where the plant is the merchant's alone. */
  readonly nights?: readonly ((books: CourierBooks) => void)[];
  /** What another courier of the same books holds; absent where there is none. */
  readonly other?: (books: CourierBooks) => void;
  /** What is wrong in the merchant's own files, which are imported then; absent where the plant is the courier's alone. */
  readonly own?: (files: OwnFiles) => void;
  /** Other checks that it cannot be hidden from, some of them beside the merchant's own files alone. */
  readonly beside?: readonly string[];
  /** How many mismatches that are: one a currency or field where the catalogue says so. */
  readonly findings: number;
  /** The months of which there is no figure of ours then; none where absent. */
  readonly unknown?: readonly string[];
  /** Its lines in the bridge; absent where no money is at stake. */
  readonly effects?: readonly PlantedEffect[];
}

/** The number of the invoice that a plant adds to November. */
export const NEW = 1004;
/** When it is issued. */
export const ISSUED = '2026-11-30';
/** The words by which a receipt is known as the courier's. */
export const PAYER = 'Self-test courier';

/** Effects in October, the month of the one paid invoice 1001. */
export function october(effects: Readonly<Record<string, string>>): PlantedEffect[] {
  return effectsIn('2026-10', effects);
}

/** Effects in November, the month of what is added. */
export function november(effects: Readonly<Record<string, string>>): PlantedEffect[] {
  return effectsIn('2026-11', effects);
}

function effectsIn(period: string, effects: Readonly<Record<string, string>>): PlantedEffect[] {
  return Object.entries(effects).map(([currency, effect]) => ({ period, currency, effect }));
}

/** A payment of the courier's, in dollars, that names no invoice. */
export function payment(amount: string, date: string): OwnReceipt {
  return { date, amount, currency: 'USD', text: PAYER, invoice: '' };
}

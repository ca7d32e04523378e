/** Currency to COD and fee, as plain decimal text. */
export type Amounts = Readonly<Record<string, readonly [cod: string, fee: string]>>;

/** An order in the courier's order book. */
export interface PlacedOrder {
  readonly order_id: string;
  reference_id: string;
  /** `STANDARD`, or `RETURN` for a parcel that comes back. */
  workflow: string;
  delivery_state: string;
  payment_state: string;
  /** When it was delivered; null if it was not yet. */
  delivered_at: string | null;
  merchant_invoice: number | null;
  /** Where it is picked up: no two orders share a place. */
  readonly merchant_location: number;
  amounts: Amounts;
}

/** A row of an invoice: an order as the invoice states it. */
export type PlantRow = Omit<PlacedOrder, 'delivered_at' | 'merchant_invoice' | 'merchant_location'>;

/** An invoice in the courier's books. Its header is the sum of its rows, plus `header`. */
export interface Bill {
  readonly number: number;
  status: string;
  issued_at: string;
  /** The months whose lists hold it. */
  months: readonly string[];
  rows: PlantRow[];
  /** Currency to what the header states more than the rows' sum, or less: COD, fee, net. */
  header: Readonly<Record<string, readonly [cod: string, fee: string, net: string]>>;
  /** Fields in which the list's row differs from the detail. */
  listed: object;
  /** Its detail cannot be read as an invoice. */
  isUnreadable: boolean;
}

/**
 * The courier's books, in which a plant changes something between two syncs. The clean ones (`cleanBooks` of
 * app/selftest) have the invoices 1001 of October (orders A1 to A3, a net of 81.25 dollars), 1002 (B1 to B3) and 1003
 * (B4 and B5, 44.00 dollars, unpaid) of November. C1 to C3 are delivered and on no invoice yet, D1 is on its way.
 */
export interface CourierBooks {
  readonly orders: Map<string, PlacedOrder>;
  readonly bills: Map<number, Bill>;
  /** Months whose list states one invoice more than it shows. */
  readonly overstated: Set<string>;
  /** Ids of orders about which the courier sends a webhook before the next sync. */
  readonly messages: string[];
  /**
   * Puts an order into the order book: delivered on a day, or on its way (null). Without `amounts` its COD is 25.00 and
   * its fee 3.00 dollars.
   */
  place(order_id: string, delivered: string | null, amounts?: Amounts): PlacedOrder;
  /** Bills orders with the amounts of their records, which then name the invoice. Its status is `PAID` if absent. */
  bill(number: number, issued: string, orderIds: readonly string[], status?: string): Bill;
  /** Adds an order's row to an invoice; its payment is pending if no state is given. */
  addRow(bill: Bill, orderId: string, payment_state?: string): PlantRow;
}

/** A line of the merchant's bank statement. `invoice`: the number that it names, or empty. */
export interface OwnReceipt {
  date: string;
  amount: string;
  currency: string;
  text: string;
  invoice: string;
}

/** The merchant's files, one entry per line: they agree with the courier's books until a plant changes them. */
export interface OwnFiles {
  /** By reference and currency, as `ref-A1,USD`. */
  readonly orders: Map<string, { status: string; cod: string }>;
  /** By invoice and currency, as `1001 USD`, or a name. */
  readonly receipts: Map<string, OwnReceipt>;
  /** By order and currency, as `B1 USD`: no two orders share a pickup place, so that each has a price to itself. */
  readonly tariff: Map<string, { location: number; currency: string; fee: string }>;
}

/** Money that a mismatch takes in a month, in one currency. */
export interface PlantedEffect {
  readonly period: string;
  readonly currency: string;
  /** As the bridge prints it: negative if you are short. */
  readonly effect: string;
}

/** A mismatch put into books that are otherwise clean, so that its check, and no other, finds something. */
export interface Plant {
  /** The months that are closed before anything goes wrong, in order, from the books' first; none if absent. */
  readonly closes?: readonly string[];
  /** What the courier does between two syncs; absent if the plant is the merchant's alone. */
  readonly night?: (books: CourierBooks) => void;
  /** What the courier does between the two syncs that follow. */
  readonly nextNight?: (books: CourierBooks) => void;
  /** Puts orders into the books of a second courier; absent if there is none. */
  readonly secondCourier?: (books: CourierBooks) => void;
  /** What is wrong in the merchant's files, which are imported then; absent if only the courier is wrong. */
  readonly merchantFiles?: (files: OwnFiles) => void;
  /** Other checks that find it too, some of them only if the merchant's files are there. */
  readonly alsoFoundBy?: readonly string[];
  /** How many mismatches the check finds, one if absent: several if it finds one per currency or field. */
  readonly findings?: number;
  /** The months for which the bridge then has no figure of ours; none if absent. */
  readonly monthsUndecided?: readonly string[];
  /** Its lines in the bridge; absent if no money is at stake. */
  readonly effects?: readonly PlantedEffect[];
}

/** The number of the invoice that a plant adds to November. */
export const NEW_INVOICE = 1004;
export const ISSUED = '2026-11-30';
/** The text by which a receipt is recognised as the courier's. */
export const PAYER = 'Self-test courier';

/** Makes the function that puts effects, given by currency, into a month. */
function effectsIn(period: string) {
  return (effects: Readonly<Record<string, string>>): PlantedEffect[] =>
    Object.entries(effects).map(([currency, effect]) => ({ period, currency, effect }));
}

/** Effects in October, the month of the one paid invoice 1001. */
export const october = effectsIn('2026-10');
/** Effects in November, the month of what is added. */
export const november = effectsIn('2026-11');

/** A payment from the courier, in dollars, that names no invoice. */
export function payment(amount: string, date: string): OwnReceipt {
  return { date, amount, currency: 'USD', text: PAYER, invoice: '' };
}

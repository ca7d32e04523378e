import { formatUnits } from '../../../money/units.ts';
import { REMOTE_AREA } from '../names.ts';
import { type Planted, planted } from '../planted.ts';
import { type MakingContext, makeInvoice, makeOrder, type OrderToMake } from '../plants/make-order.ts';
import { feeCurrencies, headerNet, inDollars, tooSmall } from '../plants/targets.ts';
import type { Destination } from '../shop.ts';

/** A district that the agreed prices leave out. */
export const UNPRICED_DISTRICT = 'Hermel';

/** The reference of an order in the shop's books that never reached the courier. */
export const NEVER_ARRIVED = 'SO-2026-LOST';

/** Where the shop's books differ from the courier's documents on purpose. Orders are by id, invoices by number. */
export interface Differences {
  /** The courier's orders that the shop's order book lacks. */
  readonly leftOut: ReadonlySet<string>;
  /** By how much the shop's COD is above the courier's, in units of USD. */
  readonly codAbove: ReadonlyMap<string, bigint>;
  /** The shop's COD in dollars, in units, of orders for which the courier collected pounds. */
  readonly codInDollars: ReadonlyMap<string, bigint>;
  /** The shop's order book has {@link NEVER_ARRIVED}. */
  readonly neverArrived: boolean;
  /** By how much the receipt is above the invoice's net, in units of USD; null for an invoice without a receipt. */
  readonly aboveNet: ReadonlyMap<number, bigint | null>;
  /** Invoices with equal nets, of which one was paid by a receipt that names none. */
  readonly alike: readonly number[];
  /** A receipt that belongs to no invoice, in units of USD. */
  readonly unexplained: bigint | null;
  /** Invoices that were paid in cash. */
  readonly inCash: ReadonlySet<number>;
  /** The mismatches that the checks must find. */
  readonly planted: readonly Planted[];
}

export const NO_DIFFERENCES: Differences = {
  leftOut: new Set(),
  codAbove: new Map(),
  codInDollars: new Map(),
  neverArrived: false,
  aboveNet: new Map(),
  alike: [],
  unexplained: null,
  inCash: new Set(),
  planted: [],
};

/** 40 dollars, in units. */
const ASKED_DOLLARS = 400_000n;
/** Collected at 100,000 pounds a dollar, far from the rate of the books; in units. */
const COLLECTED_POUNDS = 40_000_000_000n;
/** Collected at the rate of the books, 89,500 pounds a dollar; in units. */
const WORTH_THE_SAME_POUNDS = 35_800_000_000n;
/** 1.11 dollars, in units. */
const UNEXPLAINED = 11_100n;

/**
 * Makes an order or invoice for each way in which books and documents can differ; COD is in units, 201_000n are 20.10.
 * Call it within `store.write`.
 */
export function prepareDifferences(context: MakingContext): Differences {
  const { store } = context;
  const order = (name: string, cod: bigint, options: Pick<OrderToMake, 'pounds' | 'destination'> = {}) =>
    makeOrder(context, { name, outcome: 'delivered', cod, ...options });
  const bill = (...orders: string[]) => makeInvoice(context, orders, { paid: true });

  const absent = order('not-in-books', 201_000n);
  const dearer = order('own-cod', 202_000n);
  const swapped = order('swapped', 0n, { pounds: COLLECTED_POUNDS });
  const paidInCash = bill(absent);
  bill(dearer);
  const invoiceOfSwapped = bill(swapped);
  const overcharged = order('off-tariff', 203_000n);
  store.run('update order_money set delivery_fee = delivery_fee + 7500 where order_id = ?', overcharged);
  const invoiceOfOvercharged = bill(overcharged);
  const destination = remoteDestination(context, UNPRICED_DISTRICT);
  const unpriced = order('no-tariff', 204_000n, { destination });
  const invoiceOfUnpriced = bill(unpriced);
  const unpaid = bill(order('remittance-0', 205_000n));
  const short = bill(order('remittance-1', 1_206_000n));
  const over = bill(order('remittance-2', 207_000n));
  const alike = ['alike-1', 'alike-2'].map((name) => bill(order(name, 208_000n)));
  const worthTheSame = order('worth-the-same', 0n, { pounds: WORTH_THE_SAME_POUNDS });
  const invoiceOfWorthTheSame = bill(worthTheSame);
  const missing = (invoice: number) =>
    planted('remittance-missing', { invoice_number: invoice, ...inDollars(-headerNet(store, invoice)) });
  return {
    leftOut: new Set([absent]),
    codAbove: new Map([[dearer, 70_000n]]),
    codInDollars: new Map([
      [swapped, ASKED_DOLLARS],
      [worthTheSame, ASKED_DOLLARS],
    ]),
    neverArrived: true,
    aboveNet: new Map([
      [unpaid, null],
      [short, -300_000n],
      [over, 120_000n],
    ]),
    alike,
    unexplained: UNEXPLAINED,
    inCash: new Set([paidInCash]),
    planted: [
      planted('not-in-books', { order_id: absent, currency: 'USD' }),
      planted('not-at-courier', { reference_id: NEVER_ARRIVED }),
      planted('book-cod-differs', { order_id: dearer, ...inDollars(-70_000n) }),
      planted('book-cod-differs', { order_id: swapped, ...inDollars(-ASKED_DOLLARS) }),
      planted('book-cod-differs', { order_id: swapped, currency: 'LBP', effect: formatUnits(COLLECTED_POUNDS) }),
      planted('implied-rate', { invoice_number: invoiceOfSwapped, order_id: swapped }),
      planted('paid-in-another-currency', { invoice_number: invoiceOfWorthTheSame, order_id: worthTheSame }),
      planted('fee-off-tariff', { invoice_number: invoiceOfOvercharged, order_id: overcharged, ...inDollars(-7_500n) }),
      ...feeCurrencies(store, unpriced).map((currency) =>
        planted('fee-no-tariff', { invoice_number: invoiceOfUnpriced, order_id: unpriced, currency }),
      ),
      missing(unpaid),
      planted('remittance-short', { invoice_number: short, ...inDollars(-300_000n) }),
      planted('remittance-over', { invoice_number: over, ...inDollars(120_000n) }),
      planted('receipt-unmatched', { currency: 'USD', amount: formatUnits(UNEXPLAINED) }),
      planted('receipt-ambiguous', { currency: 'USD', amount: formatUnits(headerNet(store, alike[0] ?? 0)) }),
      ...alike.map(missing),
    ],
  };
}

/** Makes a location of a customer in a district where the company has no area. Call it within `store.write`. */
function remoteDestination({ store, shop }: MakingContext, district: string): Destination {
  const customer = shop.destinations[0] ?? tooSmall();
  const place = { ...REMOTE_AREA, district, lat: '34.3942', long: '36.3847' };
  const area_id = store.insert('area', { merchant_id: shop.id, ...place, code: 'EXT-HRM', is_external: 1 });
  const location = { customer_id: customer.customerId, area_id, directions: 'By the river' };
  return { ...customer, locationId: store.insert('customer_location', location), district };
}

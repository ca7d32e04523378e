import { formatUnits } from '../../present/money.ts';
import { type Planted, planted } from '../planted.ts';
import { dayOfMade, makeInvoice, makeOrder, type Workshop } from '../plants/made.ts';
import { inDollars, netOf } from '../plants/worth.ts';
import { remoteDestination } from './remote.ts';

/** A district that the rate card leaves out. */
export const UNPRICED_DISTRICT = 'Hermel';

/** An own order that the courier never saw. */
export const NEVER_ARRIVED = 'SO-2026-LOST';

/** What the books are to say otherwise than the courier's documents. Orders by id, invoices by number. */
export interface Differences {
  readonly leftOut: ReadonlySet<string>;
  /** What the own book asks for more, in units of USD. */
  readonly askedMore: ReadonlyMap<string, bigint>;
  /** What the own book asks for in dollars, where the courier collected pounds. */
  readonly askedDollars: ReadonlyMap<string, bigint>;
  readonly neverArrived: boolean;
  /** What came in for an invoice beyond its net, in units of USD; null: nothing came in at all. */
  readonly paidOff: ReadonlyMap<number, bigint | null>;
  /** Invoices of one net, for one of which, nobody knows which, a receipt came in. */
  readonly alike: readonly number[];
  /** A receipt that pays nothing, in units of USD. */
  readonly unexplained: bigint | null;
  readonly inCash: ReadonlySet<number>;
  readonly planted: readonly Planted[];
}

export const NO_DIFFERENCES: Differences = {
  leftOut: new Set(),
  askedMore: new Map(),
  askedDollars: new Map(),
  neverArrived: false,
  paidOff: new Map(),
  alike: [],
  unexplained: null,
  inCash: new Set(),
  planted: [],
};

/** Asked in dollars, collected in pounds, at 100,000 for one: far from the table's rate. */
const ASKED = 400_000n;
const COLLECTED = 40_000_000_000n;
const UNEXPLAINED = 11_100n;

/** Makes an order or invoice for each way in which two sides can differ, and says how they are to. Only within `store.write`. */
export function prepareDifferences(workshop: Workshop): Differences {
  const { store } = workshop;
  const day = dayOfMade(workshop);
  const order = (name: string, cod: bigint, more: { pounds?: bigint } = {}) =>
    makeOrder(workshop, { name, day, outcome: 'delivered', cod, ...more });
  const bill = (...orders: string[]) => makeInvoice(workshop, orders, { day, paid: true });

  const [absent, dearer, swapped] = [
    order('not-in-books', 201_000n),
    order('own-cod', 202_000n),
    order('swapped', 0n, { pounds: COLLECTED }),
  ];
  const inCash = bill(absent);
  bill(dearer);
  const pounds = bill(swapped);
  const overcharged = order('off-tariff', 203_000n);
  store.run('update order_money set delivery_fee = delivery_fee + 7500 where order_id = ?', overcharged);
  const offTariff = bill(overcharged);
  const unpriced = makeOrder(workshop, {
    name: 'no-tariff',
    day,
    outcome: 'delivered',
    cod: 204_000n,
    destination: remoteDestination(workshop, UNPRICED_DISTRICT),
  });
  const noTariff = bill(unpriced);
  const [unpaid, short, over] = [205_000n, 1_206_000n, 207_000n].map((cod, i) =>
    bill(order(`remittance-${i}`, cod)),
  ) as [number, number, number];
  const alike = ['alike-1', 'alike-2'].map((name) => bill(order(name, 208_000n)));
  const missing = (invoice: number) =>
    planted('remittance-missing', { invoice_number: invoice, ...inDollars(-netOf(store, invoice)) });
  return {
    leftOut: new Set([absent]),
    askedMore: new Map([[dearer, 70_000n]]),
    askedDollars: new Map([[swapped, ASKED]]),
    neverArrived: true,
    paidOff: new Map([
      [unpaid, null],
      [short, -300_000n],
      [over, 120_000n],
    ]),
    alike,
    unexplained: UNEXPLAINED,
    inCash: new Set([inCash]),
    planted: [
      planted('not-in-books', { order_id: absent }),
      planted('not-at-courier', { reference_id: NEVER_ARRIVED }),
      planted('book-cod-differs', { order_id: dearer, ...inDollars(-70_000n) }),
      planted('book-cod-differs', { order_id: swapped, ...inDollars(-ASKED) }),
      planted('book-cod-differs', { order_id: swapped, currency: 'LBP', effect: formatUnits(COLLECTED) }),
      planted('implied-rate', { invoice_number: pounds, order_id: swapped }),
      planted('fee-off-tariff', { invoice_number: offTariff, order_id: overcharged, ...inDollars(-7_500n) }),
      planted('fee-no-tariff', { invoice_number: noTariff, order_id: unpriced }),
      missing(unpaid),
      planted('remittance-short', { invoice_number: short, ...inDollars(-300_000n) }),
      planted('remittance-over', { invoice_number: over, ...inDollars(120_000n) }),
      planted('receipt-unmatched', { currency: 'USD', amount: formatUnits(UNEXPLAINED) }),
      planted('receipt-ambiguous', { currency: 'USD', amount: formatUnits(netOf(store, alike[0] ?? 0)) }),
      ...alike.map(missing),
    ],
  };
}

import { ownCorrections } from '../../src/checks/bridge/own-corrections.ts';
import type { CheckContext } from '../../src/checks/check.ts';
import { pricedOrders } from '../../src/checks/facts/agreed-fees.ts';
import { billedTwice } from '../../src/checks/facts/billed-twice.ts';
import { bookedCods } from '../../src/checks/facts/compared-cods.ts';
import { ownLinks } from '../../src/checks/facts/own-links.ts';
import { ourSource } from '../../src/checks/facts/sources.ts';
import type { LineBesideRecord, OwnAmounts } from '../../src/ledger/queries/rows/rows-with-records.ts';
import type { Units } from '../../src/money/units.ts';

type ByCurrency<T> = ReadonlyMap<string, T>;

/** The amounts of a month's orders in the merchant's own book and by the agreed prices, by the courier's order id. */
export interface OwnSide {
  /** The COD in the own book; undefined if the order is not in it. */
  readonly booked: (orderId: string) => ByCurrency<Units> | undefined;
  /** The agreed fee; undefined if the rate card has none. */
  readonly agreed: (orderId: string) => ByCurrency<Units> | undefined;
  /** The own book's district of an order; null if the courier's order book was read, which has districts itself. */
  readonly districtOf: ((orderId: string) => string | null) | null;
  /** What own book and prices add to an order's record (or to zero, without one), by order, then by currency. */
  readonly corrections: ReadonlyMap<string, ByCurrency<OwnAmounts>>;
}

const NOTHING_IMPORTED = () => undefined;

/** Reads the own side of a month; it is empty if neither own orders nor prices are imported. */
export async function readOwnSide(context: CheckContext, month: string): Promise<OwnSide> {
  const { imported } = context.sources;
  const corrections = new Map<string, Map<string, OwnAmounts>>();
  for (const { order_id, currency, cod, delivery_fee } of await ownCorrections(context, month)) {
    const ofOrder = corrections.get(order_id) ?? new Map<string, OwnAmounts>();
    const before = ofOrder.get(currency) ?? { cod: 0n, delivery_fee: 0n };
    ofOrder.set(currency, { cod: before.cod + cod, delivery_fee: before.delivery_fee + delivery_fee });
    corrections.set(order_id, ofOrder);
  }
  const prices = imported.has('tariff') ? await pricedOrders(context) : null;
  return {
    booked: imported.has('orders') ? await bookedCods(context) : NOTHING_IMPORTED,
    agreed: prices ? (orderId) => prices.agreed.get(orderId) : NOTHING_IMPORTED,
    districtOf: ourSource(context.sources) === 'own-book' ? await ownDistricts(context) : null,
    corrections,
  };
}

async function ownDistricts(context: CheckContext) {
  const { linked } = await ownLinks(context);
  return (orderId: string) => linked.get(orderId)?.own.district ?? null;
}

/**
 * Returns a function: whether an order counts on this row. One billed twice counts on its first row, of the first
 * invoice that the courier still lists.
 */
export async function countingRows(context: Pick<CheckContext, 'db' | 'periods' | 'facts'>) {
  const ordersBilledTwice = await billedTwice(context);
  if (ordersBilledTwice.size === 0) return () => true;
  return ({ order_id, invoice_number, position }: LineBesideRecord): boolean => {
    const first = ordersBilledTwice.get(order_id)?.live[0]?.[0];
    return first === undefined || (first.number === invoice_number && first.position === position);
  };
}

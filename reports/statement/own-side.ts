import { ownCorrections } from '../../src/checks/bridge/own-corrections.ts';
import type { CheckContext } from '../../src/checks/check.ts';
import { pricedOrders } from '../../src/checks/facts/agreed-fees.ts';
import { billedTwice } from '../../src/checks/facts/billed-twice.ts';
import { bookedCods } from '../../src/checks/facts/own-cod.ts';
import { ownLinks } from '../../src/checks/facts/own-links.ts';
import { ourSource } from '../../src/checks/facts/sources.ts';
import type { Units } from '../../src/money/units.ts';

type ByCurrency<T> = ReadonlyMap<string, T>;

/** What is added to the amounts of the order's own record (to zero where there is none), in one currency. */
export interface Correction {
  readonly cod: Units;
  readonly delivery_fee: Units;
}

/** What the merchant's own book and the agreed prices say of the orders of one month, by the courier's id. */
export interface OwnSide {
  /** COD as the own book asks for it; undefined where it does not hold the order. */
  readonly booked: (orderId: string) => ByCurrency<Units> | undefined;
  /** The agreed fee; undefined where the rate card has none. */
  readonly agreed: (orderId: string) => ByCurrency<Units> | undefined;
  /** The own book's district, where that book alone says anything of the orders; null where the courier's order book is there. */
  readonly districtOf: ((orderId: string) => string | null) | null;
  /** What they change in our figure, by order, then by currency. */
  readonly corrections: ReadonlyMap<string, ByCurrency<Correction>>;
}

const UNKNOWN = () => undefined;

/** Reads the own side of a month: nothing of it where no own orders and no prices are imported. */
export async function readOwnSide(context: CheckContext, month: string): Promise<OwnSide> {
  const { imported } = context.sources;
  const corrections = new Map<string, Map<string, Correction>>();
  for (const { order_id, currency, cod, delivery_fee } of await ownCorrections(context, month)) {
    const ofOrder = corrections.get(order_id) ?? new Map<string, Correction>();
    const before = ofOrder.get(currency) ?? { cod: 0n, delivery_fee: 0n };
    ofOrder.set(currency, { cod: before.cod + cod, delivery_fee: before.delivery_fee + delivery_fee });
    corrections.set(order_id, ofOrder);
  }
  const prices = imported.has('tariff') ? await pricedOrders(context) : null;
  return {
    booked: imported.has('orders') ? await bookedCods(context) : UNKNOWN,
    agreed: prices ? (orderId) => prices.agreed.get(orderId) : UNKNOWN,
    districtOf: ourSource(context.sources) === 'own-book' ? await ownDistricts(context) : null,
    corrections,
  };
}

async function ownDistricts(context: CheckContext) {
  const { linked } = await ownLinks(context);
  return (orderId: string) => linked.get(orderId)?.own.district ?? null;
}

/** Gives a function that tells whether a row is the one on which its order counts: the first on the first live invoice that lists it. */
export async function countingRows(context: Pick<CheckContext, 'db' | 'periods' | 'facts'>) {
  const twice = await billedTwice(context);
  if (twice.size === 0) return () => true;
  return ({ order_id, invoice_number, position }: Place): boolean => {
    const first = twice.get(order_id)?.live[0]?.[0];
    return first === undefined || (first.number === invoice_number && first.position === position);
  };
}

interface Place {
  readonly order_id: string;
  readonly invoice_number: number;
  readonly position: number;
}

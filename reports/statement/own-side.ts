import { sql } from 'kysely';
import { pricedOrders } from '../../src/checks/agreed-fees.ts';
import { billedTwice } from '../../src/checks/billed-twice.ts';
import { ownCorrections } from '../../src/checks/bridge/own-corrections.ts';
import type { CheckContext } from '../../src/checks/check.ts';
import { ourSource } from '../../src/checks/knowledge.ts';
import { bookedCods } from '../../src/checks/own-cod.ts';
import { ownLinks } from '../../src/checks/own-links.ts';
import { chunks } from '../../src/ledger/chunks.ts';
import { type OwnExtent, readOwnExtent } from '../../src/ledger/read/index.ts';
import type { Units } from '../../src/money/index.ts';
import { keeps, type Only } from './only.ts';

type ByCurrency<T> = ReadonlyMap<string, T>;

/** What the order's own record, or nothing where there is none, is corrected by in one currency. */
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
  /** What they change in our figure. */
  readonly corrections: ReadonlyMap<string, ByCurrency<Correction>>;
}

const UNKNOWN = () => undefined;

/** Reads the own side of a month: nothing of it where no own orders and no prices are imported. */
export async function readOwnSide(context: CheckContext, month: string): Promise<OwnSide> {
  const { imported } = context.knowledge;
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
    districtOf: ourSource(context.knowledge) === 'own-book' ? await ownDistricts(context) : null,
    corrections,
  };
}

async function ownDistricts(context: CheckContext) {
  const { linked } = await ownLinks(context);
  return (orderId: string) => linked.get(orderId)?.own.district ?? null;
}

/** How many lines the Orders table has and how large they are, before any is read: a correction may add a currency to a row. */
export async function ownExtentOf(
  context: CheckContext,
  month: string,
  { corrections }: OwnSide,
  only: Only = null,
): Promise<OwnExtent> {
  const extent = await readOwnExtent(context.db, month, only);
  if (corrections.size === 0) return extent;
  const magnitudes = new Map(extent.magnitudes);
  let { lines } = extent;
  for (const ids of chunks([...corrections.keys()])) {
    const held = await currenciesHeld(context, month, ids);
    for (const id of ids) {
      const currencies = held.get(id) ?? new Set();
      const added = [...corrections.get(id)!.keys()].filter((currency) => !currencies.has(currency));
      lines += added.filter((currency) => keeps(only, currency)).length;
      // A row without any amount has a line of its own, whose place the first currency takes.
      if (currencies.size === 0) lines -= 1;
      for (const [currency, { cod, delivery_fee }] of corrections.get(id)!) {
        const before = magnitudes.get(currency) ?? { sum: 0, hasDecimals: false };
        magnitudes.set(currency, {
          sum: before.sum + wholeUnits(cod) + wholeUnits(delivery_fee),
          hasDecimals: before.hasDecimals || cod % 10_000n !== 0n || delivery_fee % 10_000n !== 0n,
        });
      }
    }
  }
  return { lines, magnitudes };
}

/** A magnitude in whole units of the currency, rounded up. */
function wholeUnits(units: Units): number {
  return Math.abs(Number(units / 10_000n)) + 1;
}

/** The currencies that the counting row of each order has, on the invoice or on the order's record. */
async function currenciesHeld(
  context: CheckContext,
  month: string,
  ids: readonly string[],
): Promise<Map<string, Set<string>>> {
  const counts = await countingRows(context);
  const { rows } = await sql<{ order_id: string; number: number; position: number; currency: string | null }>`
    select o.order_id, i.number, o.position, a.currency
    from invoice i join invoice_order o on o.invoice_number = i.number
    left join invoice_order_amount a on a.invoice_number = i.number and a.position = o.position
    where i.period = ${month} and i.vanished_at is null and o.order_id in (${sql.join([...ids])})
    union all
    select o.order_id, i.number, o.position, own.currency
    from invoice i join invoice_order o on o.invoice_number = i.number
    join (
      select order_id, currency from courier_order_delivered_amount
      union all
      select a.order_id, a.currency from courier_order_amount a
      where not exists (select 1 from courier_order_delivered_amount d where d.order_id = a.order_id)
    ) own on own.order_id = o.order_id
    where i.period = ${month} and i.vanished_at is null and o.order_id in (${sql.join([...ids])})`.execute(context.db);
  const held = new Map<string, Set<string>>();
  for (const { order_id, number, position, currency } of rows) {
    if (currency === null || !counts({ order_id, invoice_number: number, position })) continue;
    held.set(order_id, (held.get(order_id) ?? new Set()).add(currency));
  }
  return held;
}

/** Gives a function that tells whether a row is the one on which its order counts: the first on the first live invoice that lists it. */
export async function countingRows(context: Pick<CheckContext, 'db' | 'periods' | 'memo'>) {
  const twice = await billedTwice(context);
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

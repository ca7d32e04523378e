import { NOT_COLLECTED_STATES } from '../../base/states.ts';
import { chunks } from '../../ledger/chunks.ts';
import { type CodLine, type OwnOrder, readOwnCods } from '../../ledger/queries/imports.ts';
import { type OrderRecordName, readFirstDeliveredCods, readRecordedCods } from '../../ledger/queries/orders/records.ts';
import type { RowSigns } from '../../money/returns.ts';
import { amountOfUnits, type Units } from '../../money/units.ts';
import type { CheckContext, Stake } from '../check.ts';
import {
  type BilledOrder,
  billedCods,
  billedOrders,
  type Cod,
  type Collected,
  firstInvoices,
} from './billed-orders.ts';
import { ownLinks } from './own-links.ts';
import { orderSigns } from './returns/convention.ts';
import { ourSource } from './sources.ts';

/** An order that both the own book and the courier have (linked by its reference), with another COD. */
export interface DifferingCod {
  readonly order_id: string;
  readonly own: OwnOrder;
  readonly courier: OrderRecordName;
  /** One per currency that differs, sorted. */
  readonly differences: readonly CodDifference[];
  /** The COD in the own book and with the courier, in all currencies, differing or not. */
  readonly asked: Cod;
  readonly collected: Cod;
  readonly wasDelivered: boolean;
}

export interface CodDifference {
  readonly currency: string;
  /** The COD in the own book; 0 if it does not name the currency. */
  readonly expected: Units;
  /** The COD in the record when first seen delivered, or else now; without an order book, on the invoice. */
  readonly actual: Units;
}

export interface CodsCompared {
  readonly differing: readonly DifferingCod[];
  readonly compared: number;
  /** Orders that an invoice calls delivered and the own book lacks; 0 if the courier's order book was read. */
  readonly unbooked: number;
}

const NOTHING: Cod = new Map();

/**
 * Compares the COD of the linked orders with the own book. A refund that the courier paid out is negative in both.
 * Orders that were never delivered and are cancelled or on their way back are not compared: the courier's record drops
 * their COD, the own book does not. Without the courier's order book only orders that an invoice calls delivered are.
 */
export function compareCods(context: CheckContext): Promise<CodsCompared> {
  return context.facts.once('cods-compared', async () => {
    const { linked, courierOnly } = await ownLinks(context);
    const isOwnBookAlone = ourSource(context.sources) === 'own-book';
    const signsOfOrder = await orderSigns(context);
    const differing: DifferingCod[] = [];
    let compared = 0;
    // A few at a time: only what differs is kept, however many orders there are.
    for (const pairs of chunks([...linked])) {
      const references = pairs.map(([, { own }]) => own.reference);
      const askedByReference = byKey(await readOwnCods(context.db, references));
      const orderIds = pairs.map(([orderId]) => orderId);
      const collectedByOrder = await courierCods(context, orderIds);
      for (const [orderId, { own, courier }] of pairs) {
        const collected = collectedByOrder.get(orderId) ?? { wasDelivered: false, cod: NOTHING };
        // The own book or the courier says that the COD will not be collected.
        const isNotCollected = own.status === 'cancelled' || NOT_COLLECTED_STATES.includes(courier.state);
        if (!collected.wasDelivered && (isOwnBookAlone || isNotCollected)) continue;
        compared += 1;
        const booked = askedByReference.get(own.reference) ?? NOTHING;
        const asked = inCourierSigns(booked, signsOfOrder(orderId), collected.cod);
        const differences = differencesOf(asked, collected.cod);
        if (differences.length === 0) continue;
        const { wasDelivered, cod } = collected;
        differing.push({ order_id: courier.order_id, own, courier, differences, asked, collected: cod, wasDelivered });
      }
    }
    const billed = isOwnBookAlone ? await billedOrders(context) : new Map<string, BilledOrder>();
    const unbooked = courierOnly.filter(({ order_id }) => billed.get(order_id)?.wasDelivered).length;
    return { differing, compared, unbooked };
  });
}

/**
 * The COD of orders that share a reference, so that it cannot be compared with the own book, each in the month of its
 * first live invoice. None if the own book is our only source: then the bridge has a step for their rows.
 */
export async function codsOfShared(context: CheckContext): Promise<Stake[]> {
  if (ourSource(context.sources) === 'own-book') return [];
  const ids = (await ownLinks(context)).ambiguous.courier.map(({ order_id }) => order_id);
  const stakes: Stake[] = [];
  for (const chunk of chunks(ids)) {
    const first = await firstInvoices(context, chunk);
    for (const [subject, { wasDelivered, cod }] of await recordedCods(context, chunk)) {
      const period = first.get(subject)?.period;
      if (period === undefined || !wasDelivered) continue;
      for (const [currency, units] of cod) {
        stakes.push({ period, currency, amount: amountOfUnits(units).abs(), what: 'order', subject });
      }
    }
  }
  return stakes;
}

/**
 * An order's COD of the own book in the signs of the courier's documents. What the courier pays out is negative in the
 * book; most couriers show it as positive COD of a RETURN order, and that form is taken too: -20 and 20 both give 20.
 *
 * @param signs how the order counts; null for a RETURN order while nobody knows
 * @param collected the courier's COD: while nobody knows, an amount that differs in its sign alone is taken as the same
 */
function inCourierSigns(booked: Cod, signs: RowSigns | null, collected: Cod = NOTHING): Cod {
  // The courier adds the COD of this order, as the book does.
  if (signs?.cod === 1) return booked;
  const isPaidOut = (currency: string, cod: Units) =>
    signs === null ? cod === -(collected.get(currency) ?? 0n) : cod < 0n;
  return new Map([...booked].map(([currency, cod]) => [currency, isPaidOut(currency, cod) ? -cod : cod]));
}

function differencesOf(asked: Cod, collected: Cod): CodDifference[] {
  if (isSameCod(asked, collected)) return [];
  const currencies = [...new Set([...asked.keys(), ...collected.keys()])].sort();
  return currencies
    .map((currency) => ({ currency, expected: asked.get(currency) ?? 0n, actual: collected.get(currency) ?? 0n }))
    .filter(({ expected, actual }) => expected !== actual);
}

/** A short cut of {@link differencesOf} for the usual case, in which nothing needs to be sorted. */
function isSameCod(asked: Cod, collected: Cod): boolean {
  if (asked.size !== collected.size) return false;
  for (const [currency, cod] of asked) if (collected.get(currency) !== cod) return false;
  return true;
}

/** The COD in orders' records when they were first seen delivered, or else now, by order id. */
async function recordedCods({ db, facts }: CheckContext, ids: readonly string[]) {
  const whenDelivered = await facts.once('cods-first-delivered', async () => byKey(await readFirstDeliveredCods(db)));
  const rows = await readRecordedCods(db, ids);
  const collected = new Map<string, Collected>();
  const latest = byKey(rows.filter((row): row is typeof row & CodLine => row.currency !== null));
  for (const { key, delivered_seen_at } of rows) {
    if (collected.has(key)) continue;
    const cod = whenDelivered.get(key) ?? latest.get(key) ?? NOTHING;
    collected.set(key, { wasDelivered: delivered_seen_at !== null, cod });
  }
  return collected;
}

/** The orders' COD by the courier's records, or without an order book by its invoices, by order id. */
export async function courierCods(context: CheckContext, ids: readonly string[]) {
  const readCourierCods = ourSource(context.sources) === 'own-book' ? billedCods : recordedCods;
  const cods = new Map<string, Collected>();
  for (const chunk of chunks(ids)) {
    for (const [id, cod] of await readCourierCods(context, chunk)) cods.set(id, cod);
  }
  return cods;
}

/**
 * Makes the function that looks up an order's COD in the own book, in the courier's signs; undefined if no own order is
 * linked, empty if the book names no amount. Its argument is the courier's order id.
 */
export async function bookedCods(context: CheckContext): Promise<(orderId: string) => Cod | undefined> {
  const { linked } = await ownLinks(context);
  const booked = await context.facts.once('booked-cods', async () => byKey(await readOwnCods(context.db)));
  const signsOfOrder = await orderSigns(context);
  return (orderId) => {
    const pair = linked.get(orderId);
    return pair && inCourierSigns(booked.get(pair.own.reference) ?? NOTHING, signsOfOrder(orderId));
  };
}

/** COD by the line's key: the own order's reference, or the courier's order id. */
function byKey(rows: readonly CodLine[]): Map<string, Map<string, bigint>> {
  const cods = new Map<string, Map<string, bigint>>();
  for (const { key, currency, cod } of rows) {
    const byCurrency = cods.get(key);
    if (byCurrency) byCurrency.set(currency, BigInt(cod));
    else cods.set(key, new Map([[currency, BigInt(cod)]]));
  }
  return cods;
}

import { groupBy } from '../../base/group.ts';
import { NOT_COLLECTED_STATES } from '../../base/states.ts';
import { compareText } from '../../base/text.ts';
import { chunks, inChunks } from '../../ledger/chunks.ts';
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

const NOTHING: Cod = new Map();

/**
 * Compares the COD of the linked orders with the own book. A refund that the courier paid out is negative in both.
 * Orders that were never delivered and are cancelled or on their way back are not compared: the courier's record drops
 * their COD, the own book does not. Without the courier's order book only orders that an invoice calls delivered are.
 */
export function compareCods(context: CheckContext) {
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
  const first = await firstInvoices(context, ids);
  return [...(await courierCods(context, ids))].flatMap(([subject, { wasDelivered, cod }]) => {
    const period = first.get(subject)?.period;
    if (period === undefined || !wasDelivered) return [];
    return [...cod].map(([currency, units]): Stake => {
      return { period, currency, amount: amountOfUnits(units).abs(), what: 'order', subject };
    });
  });
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
  return [...new Set([...asked.keys(), ...collected.keys()])]
    .map((currency) => ({ currency, expected: asked.get(currency) ?? 0n, actual: collected.get(currency) ?? 0n }))
    .filter(({ expected, actual }) => expected !== actual)
    .sort((a, b) => compareText(a.currency, b.currency));
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
  return new Map<string, Collected>(await inChunks(ids, async (chunk) => [...(await readCourierCods(context, chunk))]));
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
function byKey(rows: readonly CodLine[]): Map<string, Cod> {
  const byCurrency = (lines: readonly CodLine[]) => new Map(lines.map(({ currency, cod }) => [currency, BigInt(cod)]));
  return new Map([...groupBy(rows, ({ key }) => key)].map(([key, lines]) => [key, byCurrency(lines)]));
}

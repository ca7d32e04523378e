import { NOT_COLLECTED_STATES } from '../../base/states.ts';
import { chunks } from '../../ledger/chunks.ts';
import { type CodLine, readOwnCods } from '../../ledger/queries/orders/own-book.ts';
import { readFirstDeliveredCods, readRecordedCods } from '../../ledger/queries/orders/records.ts';
import { amountOfUnits } from '../../money/units.ts';
import type { CheckContext, Stake } from '../check.ts';
import { type BilledSide, billedCods, billedOrders, type Cod, type Collected } from './billed-orders.ts';
import { firstInvoices } from './first-invoices.ts';
import { type CourierSide, type OwnSide, ownLinks } from './own-links.ts';
import { ourSource } from './sources.ts';

/** A linked order of which the own book expects another COD than the courier's record has. */
export interface CodApart {
  readonly order_id: string;
  readonly own: OwnSide;
  readonly courier: CourierSide;
  /** What the own book asks for, in the currencies that differ; what the courier's side says where the book cannot say it. */
  readonly expected: Cod;
  /** What the record said when it was first seen delivered, else says now; without an order book what the invoice says. */
  readonly actual: Cod;
  /** All currencies of either side, differing or not. */
  readonly asked: Cod;
  readonly collected: Cod;
  readonly wasDelivered: boolean;
}

/** What comes of setting the own book's COD beside the courier's. */
export interface CodsCompared {
  readonly apart: readonly CodApart[];
  /** Of how many orders the COD was set beside the courier's in every currency. */
  readonly compared: number;
  /** How many orders that an invoice calls delivered the own book does not hold. Only where there is no order book. */
  readonly unbooked: number;
}

const NOTHING: Cod = new Map();

/**
 * The linked orders whose COD is not what the own book expects: a refund that the courier paid out is negative COD in both. An order
 * that nobody collects, because it was cancelled or is on its way back, is not compared: its record drops the COD that the shop's book goes on asking for; without the courier's order book none but what
 * an invoice calls delivered.
 */
export function compareCods(context: CheckContext): Promise<CodsCompared> {
  return context.facts.once('cods-compared', async () => {
    const { linked, courierOnly } = await ownLinks(context);
    const isAlone = ourSource(context.sources) === 'own-book';
    const recordsOf = isAlone ? billedCods : recordedCods;
    const apart: CodApart[] = [];
    let compared = 0;
    // A few at a time: only what differs is kept, however many orders there are.
    for (const pairs of chunks([...linked])) {
      const asked = byKey(
        await readOwnCods(
          context.db,
          pairs.map(([, { own }]) => own.reference),
        ),
      );
      const records = await recordsOf(
        context,
        pairs.map(([id]) => id),
      );
      for (const [id, { own, courier }] of pairs) {
        const record = records.get(id) ?? { wasDelivered: false, cod: NOTHING };
        if (!record.wasDelivered && (isAlone || isOff(own, courier))) continue;
        const ask = asked.get(own.reference) ?? NOTHING;
        const found = compare(own, courier, ask, record);
        if (found) apart.push(found);
        compared += 1;
      }
    }
    const billed = isAlone ? await billedOrders(context) : new Map<string, BilledSide>();
    const unbooked = courierOnly.filter(({ order_id }) => billed.get(order_id)?.wasDelivered).length;
    return { apart, compared, unbooked };
  });
}

/**
 * The COD of orders that share a reference, which the own book therefore says nothing of, each in the month of its first live invoice.
 * Not where the own book alone is ours: there the bridge takes their rows as a step.
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

function isOff(own: OwnSide, courier: CourierSide): boolean {
  return own.status === 'cancelled' || NOT_COLLECTED_STATES.includes(courier.state);
}

/** Null where both sides say the same. */
function compare(own: OwnSide, courier: CourierSide, asked: Cod, { cod, wasDelivered }: Collected): CodApart | null {
  if (isSame(asked, cod)) return null;
  const expected = new Map<string, bigint>();
  const actual = new Map<string, bigint>();
  for (const currency of new Set([...asked.keys(), ...cod.keys()])) {
    const [ask, have] = [asked.get(currency) ?? 0n, cod.get(currency) ?? 0n];
    if (ask === have) continue;
    expected.set(currency, ask);
    actual.set(currency, have);
  }
  if (expected.size === 0) return null;
  return { order_id: courier.order_id, own, courier, expected, actual, asked, collected: cod, wasDelivered };
}

/** Whether both name the same amounts, as nearly always. */
function isSame(one: Cod, other: Cod): boolean {
  if (one.size !== other.size) return false;
  for (const [currency, cod] of one) if (other.get(currency) !== cod) return false;
  return true;
}

/** What some orders' records said when they were first seen delivered, else say now. */
async function recordedCods(
  { db, facts }: CheckContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Collected>> {
  const first = await facts.once('cods-first-delivered', async () => byKey(await readFirstDeliveredCods(db)));
  const rows = await readRecordedCods(db, ids);
  const collected = new Map<string, Collected>();
  const now = byKey(rows.filter((row): row is typeof row & CodLine => row.currency !== null));
  for (const { key, delivered_at } of rows) {
    if (collected.has(key)) continue;
    collected.set(key, { wasDelivered: delivered_at !== null, cod: first.get(key) ?? now.get(key) ?? NOTHING });
  }
  return collected;
}

/** What the courier's side says of some orders' COD: its records, and without an order book its invoices. */
export async function courierCods(
  context: CheckContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Collected>> {
  const read = ourSource(context.sources) === 'own-book' ? billedCods : recordedCods;
  const cods = new Map<string, Collected>();
  for (const chunk of chunks(ids)) for (const [id, cod] of await read(context, chunk)) cods.set(id, cod);
  return cods;
}

/** What the own book asks for an order, by currency; nothing where it names no amount. */
async function askedCods({ db, facts }: CheckContext): Promise<(own: OwnSide) => Cod> {
  const asked = await facts.once('asked-cods', async () => byKey(await readOwnCods(db)));
  return ({ reference }) => asked.get(reference) ?? NOTHING;
}

/** Gives a function that tells what the own book asks for an order of the courier's, by currency; undefined where it holds none that is that order. */
export async function bookedCods(context: CheckContext): Promise<(orderId: string) => Cod | undefined> {
  const { linked } = await ownLinks(context);
  const asked = await askedCods(context);
  return (orderId) => {
    const pair = linked.get(orderId);
    return pair && asked(pair.own);
  };
}

function byKey(rows: readonly CodLine[]): Map<string, Map<string, bigint>> {
  const cods = new Map<string, Map<string, bigint>>();
  for (const { key, currency, cod } of rows) {
    const known = cods.get(key);
    if (known) known.set(currency, BigInt(cod));
    else cods.set(key, new Map([[currency, BigInt(cod)]]));
  }
  return cods;
}

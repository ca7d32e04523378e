import { sql } from 'kysely';
import { chunks } from '../ledger/chunks.ts';
import { isOneOf, unitsText } from '../ledger/sql.ts';
import { billedCods } from './billed-cods.ts';
import { type BilledSide, billedOrders } from './billed-orders.ts';
import type { CheckContext } from './check.ts';
import { ourSource } from './knowledge.ts';
import { type CourierSide, type OwnSide, ownLinks } from './own-links.ts';

/** COD by currency, in units. */
export type Cod = ReadonlyMap<string, bigint>;

/** What the courier's side says of an order: COD, and whether it was ever delivered. */
export interface Collected {
  readonly cod: Cod;
  readonly wasDelivered: boolean;
}

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
  /**
   * Of how many orders an invoice takes back COD of which the own book asks nothing, which it cannot say otherwise. Only where there is
   * no order book: there the order's record counts.
   */
  readonly takenBack: number;
  /** How many orders that an invoice calls delivered the own book does not hold. Only where there is no order book. */
  readonly unbooked: number;
}

const NOTHING: Cod = new Map();

/** What an undelivered order comes to that collects nothing: its record drops the COD that the shop's book goes on asking for. */
const NEVER_COLLECTED = new Set(['CANCELLED', 'AWAITING_RETURN', 'DELIVERED_AT_WAREHOUSE']);

type Line = Record<'key' | 'currency' | 'cod', string>;

/**
 * The linked orders whose COD is not what the own book expects. The own book knows no negative COD: where the courier takes money back
 * and the book asks for nothing, there is no difference. An order that nobody collects any more, because it was cancelled or came back,
 * is not compared; without the courier's order book none but what an invoice calls delivered.
 */
export function compareCods(context: CheckContext): Promise<CodsCompared> {
  return context.memo.once('cods-compared', async () => {
    const { linked, courierOnly } = await ownLinks(context);
    const isAlone = ourSource(context.knowledge) === 'own-book';
    const recordsOf = isAlone ? billedCods : recordedCods;
    const apart: CodApart[] = [];
    let [compared, takenBack] = [0, 0];
    // A few at a time: only what differs is kept, however many orders there are.
    for (const pairs of chunks([...linked])) {
      const asked = await askedFor(
        context,
        pairs.map(([, { own }]) => own.reference),
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
        if (isAlone && [...record.cod].some(([currency, cod]) => isTakenBack(ask.get(currency) ?? 0n, cod)))
          takenBack += 1;
        else compared += 1;
      }
    }
    const billed = isAlone ? await billedOrders(context) : new Map<string, BilledSide>();
    const unbooked = courierOnly.filter(({ order_id }) => billed.get(order_id)?.wasDelivered).length;
    return { apart, compared, takenBack, unbooked };
  });
}

/** The linked orders of {@link compareCods} whose COD differs. */
export async function codsApart(context: CheckContext): Promise<readonly CodApart[]> {
  return (await compareCods(context)).apart;
}

/** Whether the courier takes COD back of which the own book, which knows no negative one, says nothing. */
export function isTakenBack(asked: bigint, has: bigint): boolean {
  return asked === 0n && has < 0n;
}

function isOff(own: OwnSide, courier: CourierSide): boolean {
  return own.status === 'cancelled' || NEVER_COLLECTED.has(courier.state);
}

/** Null where both sides say the same. */
function compare(own: OwnSide, courier: CourierSide, asked: Cod, { cod, wasDelivered }: Collected): CodApart | null {
  if (isSame(asked, cod)) return null;
  const expected = new Map<string, bigint>();
  const actual = new Map<string, bigint>();
  for (const currency of new Set([...asked.keys(), ...cod.keys()])) {
    const [ask, have] = [asked.get(currency) ?? 0n, cod.get(currency) ?? 0n];
    if (ask === have || isTakenBack(ask, have)) continue;
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

async function askedFor({ db }: CheckContext, references: readonly string[]): Promise<ReadonlyMap<string, Cod>> {
  return byKey(
    await sql<Line>`
      select reference as key, currency, ${unitsText('cod')} as cod from own_order_amount
      where ${isOneOf('reference', references)}
      order by reference, currency`.execute(db),
  );
}

/** What some orders' records said when they were first seen delivered, else say now. */
async function recordedCods(
  { db, memo }: CheckContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Collected>> {
  const first = await memo.once('cods-first-delivered', async () =>
    byKey(
      await sql<Line>`select order_id as key, currency, ${unitsText('cod')} as cod from courier_order_delivered_amount`.execute(
        db,
      ),
    ),
  );
  const { rows } = await sql<Record<'key', string> & Record<'delivered_at' | 'currency' | 'cod', string | null>>`
    select b.order_id as key, b.delivered_seen_at as delivered_at, own.currency, ${unitsText('own.cod')} as cod
    from courier_order b left join courier_order_amount own on own.order_id = b.order_id
    where ${isOneOf('b.order_id', ids)}
    order by b.order_id, own.currency`.execute(db);
  const collected = new Map<string, Collected>();
  const now = byKey({ rows: rows.filter((row): row is typeof row & Line => row.currency !== null) });
  for (const { key, delivered_at } of rows) {
    if (collected.has(key)) continue;
    collected.set(key, { wasDelivered: delivered_at !== null, cod: first.get(key) ?? now.get(key) ?? NOTHING });
  }
  return collected;
}

/** What the own book asks for an order, by currency; nothing where it names no amount. */
async function askedCods({ db, memo }: CheckContext): Promise<(own: OwnSide) => Cod> {
  const asked = await memo.once('asked-cods', async () =>
    byKey(
      await sql<Line>`select reference as key, currency, ${unitsText('cod')} as cod from own_order_amount`.execute(db),
    ),
  );
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

function byKey({ rows }: { rows: Line[] }): Map<string, Map<string, bigint>> {
  const cods = new Map<string, Map<string, bigint>>();
  for (const { key, currency, cod } of rows) {
    const known = cods.get(key);
    if (known) known.set(currency, BigInt(cod));
    else cods.set(key, new Map([[currency, BigInt(cod)]]));
  }
  return cods;
}

import { sql } from 'kysely';
import { groupBy } from '../books/group.ts';
import { unitsText } from '../ledger/sql.ts';
import type { CheckContext } from './check.ts';
import { type CourierSide, type OwnSide, ownLinks } from './own-links.ts';

/** COD by currency, in units. */
export type Cod = ReadonlyMap<string, bigint>;

/** A linked order of which the own book expects another COD than the courier's record has. */
export interface CodApart {
  readonly order_id: string;
  readonly own: OwnSide;
  readonly courier: CourierSide;
  /** What the own book asks for, in the currencies that differ; what the record says where the book cannot say it. */
  readonly expected: Cod;
  /** What the record said when it was first seen delivered, else says now. */
  readonly actual: Cod;
  /** All currencies of either side, differing or not. */
  readonly asked: Cod;
  readonly collected: Cod;
  readonly wasDelivered: boolean;
}

const NOTHING: Cod = new Map();

/** What an undelivered order comes to that collects nothing: its record drops the COD that the shop's book goes on asking for. */
const NEVER_COLLECTED = new Set(['CANCELLED', 'AWAITING_RETURN', 'DELIVERED_AT_WAREHOUSE']);

type Line = Record<'key' | 'currency' | 'cod', string>;

/**
 * The linked orders whose COD is not what the own book expects. The own book knows no negative COD: where the record takes money back and
 * the book asks for nothing, the record counts. An order that nobody collects any more, because it was cancelled or came back, is not compared.
 */
export function codsApart(context: CheckContext): Promise<readonly CodApart[]> {
  return context.memo.once('cods-apart', async () => {
    const { db } = context;
    const { linked } = await ownLinks(context);
    const asked = await askedCods(context);
    const now = byKey(
      await sql<Line>`select order_id as key, currency, ${unitsText('cod')} as cod from courier_order_amount`.execute(
        db,
      ),
    );
    const then = byKey(
      await sql<Line>`select order_id as key, currency, ${unitsText('cod')} as cod from courier_order_delivered_amount`.execute(
        db,
      ),
    );
    const { rows } = await sql<{ order_id: string }>`
      select order_id from courier_order where delivered_seen_at is not null`.execute(db);
    const delivered = new Set(rows.map(({ order_id }) => order_id));
    return [...linked].flatMap(([order_id, { own, courier }]): CodApart[] => {
      const wasDelivered = delivered.has(order_id);
      const isOff = own.status === 'cancelled' || NEVER_COLLECTED.has(courier.state);
      if (!wasDelivered && isOff) return [];
      const mine = asked(own);
      const collected = then.get(order_id) ?? now.get(order_id) ?? NOTHING;
      const expected = new Map<string, bigint>();
      const actual = new Map<string, bigint>();
      for (const currency of new Set([...mine.keys(), ...collected.keys()])) {
        const [ask, have] = [mine.get(currency) ?? 0n, collected.get(currency) ?? 0n];
        if (ask === have || (ask === 0n && have < 0n)) continue;
        expected.set(currency, ask);
        actual.set(currency, have);
      }
      if (expected.size === 0) return [];
      return [{ order_id, own, courier, expected, actual, asked: mine, collected, wasDelivered }];
    });
  });
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
  return new Map(
    [...groupBy(rows, ({ key }) => key)].map(([key, lines]) => [
      key,
      new Map(lines.map(({ currency, cod }) => [currency, BigInt(cod)])),
    ]),
  );
}

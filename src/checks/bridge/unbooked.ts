import { sql } from 'kysely';
import { groupBy } from '../../books/group.ts';
import { unitsText } from '../../ledger/sql.ts';
import { amountOfUnits } from '../../money/index.ts';
import { pricedOrders } from '../agreed-fees.ts';
import { type BilledSide, billedOrders, isCalledOff } from '../billed-orders.ts';
import type { CheckContext } from '../check.ts';
import { bookedCods, type Cod, isTakenBack } from '../own-cod.ts';
import type { UncomparedMoney } from './not-comparable.ts';

type Line = Record<'number' | 'position', number> & Record<'order_id' | 'period' | 'currency' | 'cod' | 'fee', string>;

/** What our own side says of an order. */
interface Ours {
  /** COD by currency; undefined where the own book does not hold the order. */
  readonly booked: Cod | undefined;
  readonly hasPrice: boolean;
}

/**
 * What the own book alone leaves open on the way from the courier's figure to ours: COD of orders that it does not hold, COD that is
 * taken back, and fees for which no price was agreed.
 */
export async function unbookedMoney(context: CheckContext): Promise<UncomparedMoney[]> {
  const billed = await billedOrders(context);
  const booked = await bookedCods(context);
  const { agreed } = context.knowledge.imported.has('tariff') ? await pricedOrders(context) : { agreed: null };
  const lines = (await readLines(context)).filter(({ order_id, number, position }) => {
    const own = billed.get(order_id)!;
    return own.number === number && own.position === position;
  });
  return [...groupBy(lines, ({ order_id }) => order_id)].flatMap(([id, own]) => {
    const ours = { booked: booked(id), hasPrice: agreed?.has(id) ?? false };
    return own.flatMap((line) => {
      const { cod, fee } = openOf(line, billed.get(id)!, ours);
      if (cod === 0n && fee === 0n) return [];
      return { period: line.period, currency: line.currency, effect: amountOfUnits(cod - fee) };
    });
  });
}

/** What is left of a row, in units, after `cod-without-delivery`, `fee-on-cancelled`, `book-cod-differs` and `fee-off-tariff`. */
function openOf({ currency, ...line }: Line, order: BilledSide, { booked, hasPrice }: Ours) {
  const [cod, fee] = [BigInt(line.cod), BigInt(line.fee)];
  const isCodOpen = order.wasDelivered && (!booked || isTakenBack(booked.get(currency) ?? 0n, cod));
  const isFeeOpen = !hasPrice && !isCalledOff(order);
  return { cod: isCodOpen ? cod : 0n, fee: isFeeOpen ? fee : 0n };
}

/** The rows of these months' live invoices. */
async function readLines({ db, periods }: CheckContext): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select i.number, o.position, i.period, o.order_id, a.currency, ${unitsText('a.cod')} as cod, ${unitsText('a.delivery_fee')} as fee
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where i.period in (${sql.join([...periods])}) and i.vanished_at is null
    order by i.number, o.position, a.currency`.execute(db);
  return rows;
}

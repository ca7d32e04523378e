import { type RawBuilder, sql } from 'kysely';
import { chunks } from '../../ledger/chunks.ts';
import { isOneOf, unitsText } from '../../ledger/sql.ts';
import { amountOfUnits } from '../../money/index.ts';
import { pricedOrders } from '../agreed-fees.ts';
import { type BilledSide, billedOrders, isCalledOff } from '../billed-orders.ts';
import type { CheckContext } from '../check.ts';
import { bookedCods, isTakenBack } from '../own-cod.ts';
import type { UncomparedMoney } from './not-comparable.ts';

type Line = Record<'number' | 'position', number> & Record<'order_id' | 'period' | 'currency' | 'cod' | 'fee', string>;

/** Which of an order's amounts our own side leaves open: all of them, or the COD that is taken back at most. */
interface Open {
  readonly cod: boolean;
  readonly fee: boolean;
}

/**
 * What the own book alone leaves open on the way from the courier's figure to ours, after `cod-without-delivery` and `fee-on-cancelled`
 * took theirs: COD of orders that it does not hold, COD that is taken back, and fees for which no price was agreed.
 */
export async function unbookedMoney(context: CheckContext): Promise<UncomparedMoney[]> {
  const billed = await billedOrders(context);
  const booked = await bookedCods(context);
  const openOf = await openAmounts(context);
  const ids = [...billed.values()].filter(({ isLive, period, ...order }) => {
    const open = isLive && context.periods.includes(period) ? openOf(order) : null;
    return open !== null && (open.cod || open.fee);
  });
  const lines = await readLines(context, sql`a.cod < 0`);
  for (const chunk of chunks(ids)) {
    const isAmong = isOneOf(
      'o.order_id',
      chunk.map(({ order_id }) => order_id),
    );
    lines.push(...(await readLines(context, sql`a.cod >= 0 and ${isAmong}`)));
  }
  return lines.flatMap(({ order_id, number, position, period, currency, ...line }) => {
    const order = billed.get(order_id)!;
    if (order.number !== number || order.position !== position) return [];
    const open = openOf(order);
    const [cod, fee] = [BigInt(line.cod), BigInt(line.fee)];
    const isCodOpen = open.cod || (order.wasDelivered && isTakenBack(booked(order_id)?.get(currency) ?? 0n, cod));
    const [openCod, openFee] = [isCodOpen ? cod : 0n, open.fee ? fee : 0n];
    return openCod === 0n && openFee === 0n ? [] : { period, currency, effect: amountOfUnits(openCod - openFee) };
  });
}

async function openAmounts(context: CheckContext) {
  const booked = await bookedCods(context);
  const { agreed } = context.knowledge.imported.has('tariff') ? await pricedOrders(context) : { agreed: null };
  return (order: Pick<BilledSide, 'order_id' | 'state' | 'wasDelivered'>): Open => ({
    cod: order.wasDelivered && booked(order.order_id) === undefined,
    fee: !isCalledOff(order) && !agreed?.has(order.order_id),
  });
}

/** Some rows of these months' live invoices, a line a currency. */
async function readLines({ db, periods }: CheckContext, condition: RawBuilder<unknown>): Promise<Line[]> {
  const { rows } = await sql<Line>`
    select i.number, o.position, i.period, o.order_id, a.currency, ${unitsText('a.cod')} as cod, ${unitsText('a.delivery_fee')} as fee
    from invoice i
    join invoice_order o on o.invoice_number = i.number
    join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where ${isOneOf('i.period', periods)} and i.vanished_at is null and ${condition}
    order by i.number, o.position, a.currency`.execute(db);
  return rows;
}

/** The two figures of the bridge, each from records of its own: what the courier states, and what our records of the orders come to. */
import { type RawBuilder, sql } from 'kysely';
import { chunks } from '../../ledger/chunks.ts';
import { exactSum, sumHalves } from '../../ledger/exact-sum.ts';
import { amountOfUnits, Totals } from '../../money/index.ts';
import { type BilledOrder, billedTwice } from '../billed-twice.ts';
import type { CheckContext } from '../check.ts';
import { ourRecords } from '../our-records.ts';
import { ownCorrections } from './own-corrections.ts';

/** The nets that a month's live invoices state, by currency. */
export async function courierFigure({ db }: CheckContext, period: string): Promise<Totals> {
  const { rows } = await sql<{ currency: string; net_high: string; net_low: string }>`
    select a.currency, ${sumHalves(sql`a.net_due_to_merchant`, 'net')}
    from invoice i join invoice_amount a on a.invoice_number = i.number
    where i.period = ${period} and i.vanished_at is null
    group by a.currency`.execute(db);
  const figure = new Totals();
  for (const { currency, net_high, net_low } of rows) figure.add(currency, amountOfUnits(exactSum(net_high, net_low)));
  return figure;
}

/**
 * What our records of the orders come to, by currency: every order once, in the month of the first live invoice that lists it. COD of
 * what was ever delivered, less its fee; no fee of what was cancelled. No amount of an invoice is read.
 */
export async function ourFigure(context: CheckContext, period: string): Promise<Totals> {
  const listed = sql`
    select o.order_id from invoice i join invoice_order o on o.invoice_number = i.number
    where i.period = ${period} and i.vanished_at is null`;
  const figure = await sumOfOrders(context, listed);
  // So far an order counts once for each of its rows in the month: the surplus is taken off.
  for (const [times, ids] of surplus(await billedTwice(context), period)) {
    for (const chunk of chunks(ids)) {
      const orders = sql`select order_id from courier_order where order_id in (${sql.join([...chunk])})`;
      const once = await sumOfOrders(context, orders);
      for (const currency of once.currencies()) figure.add(currency, once.of(currency).times(-times));
    }
  }
  for (const { currency, cod, delivery_fee } of await ownCorrections(context, period)) {
    figure.add(currency, amountOfUnits(cod - delivery_fee));
  }
  return figure;
}

/** How many rows too many some orders have in a month: all but one, or all where an earlier invoice of another month lists them. */
function surplus(orders: ReadonlyMap<string, BilledOrder>, period: string): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const { order_id, live } of orders.values()) {
    const rows = live.filter(([row]) => row.period === period).reduce((sum, own) => sum + own.length, 0);
    const times = rows - (live[0]?.[0].period === period ? 1 : 0);
    if (times > 0) found.set(times, [...(found.get(times) ?? []), order_id]);
  }
  return found;
}

/** @param orders a relation of `order_id`, in which one may stand more than once */
async function sumOfOrders({ db }: CheckContext, orders: RawBuilder<unknown>): Promise<Totals> {
  // All as if it were delivered, less what never was: few orders, which are looked for first.
  const never = sql`
    select b.order_id from courier_order b cross join (${orders}) listed
    where b.delivered_seen_at is null and listed.order_id = b.order_id`;
  const { rows } = await sql<{ currency: string } & Record<`${'cod' | 'fee'}_${'high' | 'low'}`, string>>`
    select due.currency, ${sumHalves(sql`due.cod`, 'cod')}, ${sumHalves(sql`due.fee`, 'fee')}
    from (
      select own.currency, own.cod, own.delivery_fee as fee from (${ourRecords(orders)}) own
      union all
      select own.currency, -own.cod, case when b.delivery_state = 'CANCELLED' then -own.delivery_fee else 0 end
      from (${ourRecords(never)}) own cross join courier_order b
      where b.order_id = own.order_id
    ) due
    group by due.currency`.execute(db);
  const sums = new Totals();
  for (const { currency, ...halves } of rows) {
    const units = exactSum(halves.cod_high, halves.cod_low) - exactSum(halves.fee_high, halves.fee_low);
    sums.add(currency, amountOfUnits(units));
  }
  return sums;
}

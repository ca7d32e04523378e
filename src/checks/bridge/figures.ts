/** The two figures of the bridge, each from records of its own: what the courier states, and what our records of the orders come to. */
import { type RawBuilder, sql } from 'kysely';
import { groupBy } from '../../books/group.ts';
import { chunks } from '../../ledger/chunks.ts';
import { exactSum, sumHalves } from '../../ledger/exact-sum.ts';
import { isOneOf } from '../../ledger/sql.ts';
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
  const figure = await sumOf(context, asDelivered(listed));
  const never = (await neverDelivered(context)).get(period) ?? new Totals();
  for (const currency of never.currencies()) figure.add(currency, never.of(currency));
  // So far an order counts once for each of its rows in the month: the surplus is taken off.
  for (const [times, ids] of surplus(await billedTwice(context), period)) {
    for (const chunk of chunks(ids)) {
      const orders = sql`select order_id from courier_order where ${isOneOf('order_id', chunk)}`;
      const once = await sumOf(context, sql`${asDelivered(orders)} union all ${lessUndelivered(orders)}`);
      for (const currency of once.currencies()) figure.add(currency, once.of(currency).times(-times));
    }
  }
  // Where the own book alone is ours these are all orders: they are summed as units, which are exact too.
  const corrected = new Map<string, bigint>();
  for (const { currency, cod, delivery_fee } of await ownCorrections(context, period)) {
    corrected.set(currency, (corrected.get(currency) ?? 0n) + cod - delivery_fee);
  }
  for (const [currency, units] of corrected) figure.add(currency, amountOfUnits(units));
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

/** What orders come to as if all were delivered: `currency, cod, fee`. @param orders a relation of `order_id`, in which one may be more than once */
const asDelivered = (orders: RawBuilder<unknown>) =>
  sql`select own.currency, own.cod, own.delivery_fee as fee from (${ourRecords(orders)}) own`;

/** What is to be taken off again of those that never were. */
const lessUndelivered = (orders: RawBuilder<unknown>) => sql`
  select currency, cod, fee from (${undelivered(sql`
    select b.order_id from courier_order b cross join (${orders}) listed
    where b.delivered_seen_at is null and listed.order_id = b.order_id`)}) never`;

const undelivered = (orders: RawBuilder<unknown>) => sql`
  select own.order_id, own.currency, -own.cod as cod,
    case when b.delivery_state = 'CANCELLED' then -own.delivery_fee else 0 end as fee
  from (${ourRecords(orders)}) own cross join courier_order b
  where b.order_id = own.order_id`;

/** The same of all months, each order once for each of its rows: the order book is read once for all of them. */
function neverDelivered({ db, memo }: CheckContext): Promise<ReadonlyMap<string, Totals>> {
  return memo.once('never-delivered', async () => {
    const orders = sql`
      select order_id from courier_order b
      where delivered_seen_at is null and exists (select 1 from invoice_order o where o.order_id = b.order_id)`;
    const { rows } = await sql<Sums & { period: string }>`
      select i.period, due.currency, ${SUMS}
      from (${undelivered(orders)}) due cross join invoice_order o cross join invoice i
      where o.order_id = due.order_id and i.number = o.invoice_number and i.vanished_at is null
      group by i.period, due.currency`.execute(db);
    const months = groupBy(rows, ({ period }) => period);
    return new Map([...months].map(([period, sums]) => [period, totalsOf(sums)]));
  });
}

type Sums = { currency: string } & Record<`${'cod' | 'fee'}_${'high' | 'low'}`, string>;
const SUMS = sql`${sumHalves(sql`due.cod`, 'cod')}, ${sumHalves(sql`due.fee`, 'fee')}`;

/** @param due a relation of `currency, cod, fee` */
async function sumOf({ db }: CheckContext, due: RawBuilder<unknown>): Promise<Totals> {
  const { rows } = await sql<Sums>`
    select due.currency, ${SUMS} from (${due}) due group by due.currency`.execute(db);
  return totalsOf(rows);
}

function totalsOf(rows: readonly Sums[]): Totals {
  const sums = new Totals();
  for (const { currency, ...halves } of rows) {
    const units = exactSum(halves.cod_high, halves.cod_low) - exactSum(halves.fee_high, halves.fee_low);
    sums.add(currency, amountOfUnits(units));
  }
  return sums;
}

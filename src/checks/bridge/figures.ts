/** The two figures of the bridge, each from records of its own: what the courier states, and what our records of the orders come to. */
import { chunks } from '../../ledger/chunks.ts';
import { sumStatedNets } from '../../ledger/queries/invoices/headers.ts';
import { type Due, sumRecordsOf, sumRecordsOfMonth } from '../../ledger/queries/orders/record-sums.ts';
import { Totals, worthOf } from '../../money/index.ts';
import type { CheckContext } from '../check.ts';
import { billedTwice } from '../facts/billed-twice.ts';
import { orderWorth, returnsOf } from '../facts/returns/standing.ts';
import { ownCorrections } from './own-corrections.ts';

/** The nets that a month's live invoices state, by currency. */
export async function courierFigure({ db }: CheckContext, period: string): Promise<Totals> {
  return totalsOf(await sumStatedNets(db, period));
}

/**
 * What our records of the orders come to, by currency: every order once, in the month of the first live invoice that lists it. COD of
 * what was ever delivered, less its fee; of what was cancelled only an agreed fee. No amount of an invoice is read.
 */
export async function ourFigure(context: CheckContext, period: string): Promise<Totals> {
  const { worth } = await returnsOf(context);
  const worthOfOrder = await orderWorth(context);
  const dues = await sumRecordsOfMonth(context.db, period, worth);
  for (const chunk of chunks(await ordersOfEarlierMonths(context, period))) {
    for (const { currency, net } of await sumRecordsOf(context.db, chunk, worth)) dues.push({ currency, net: -net });
  }
  for (const { order_id, currency, ...units } of await ownCorrections(context, period)) {
    const known = worthOfOrder(order_id);
    if (known) dues.push({ currency, net: worthOf(units, known) });
  }
  return totalsOf(dues);
}

/** The orders on a month's live invoices that count in another month, because an invoice of that month listed them first. */
async function ordersOfEarlierMonths(context: CheckContext, period: string): Promise<string[]> {
  const orders = [...(await billedTwice(context)).values()];
  return orders
    .filter(({ live }) => live.some(([row]) => row.period === period) && live[0]![0].period !== period)
    .map(({ order_id }) => order_id);
}

function totalsOf(dues: readonly Due[]): Totals {
  const totals = new Totals();
  for (const { currency, net } of dues) totals.add(currency, net);
  return totals;
}

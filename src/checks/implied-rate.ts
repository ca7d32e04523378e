import { sql } from 'kysely';
import { exchangeOf, judgeExchange, parseFraction, parseRate, RateTable, sayFraction } from '../books/rates/index.ts';
import { chunks } from '../ledger/chunks.ts';
import { readRates } from '../ledger/read/prices.ts';
import { isOneOf } from '../ledger/sql.ts';
import { amountOfUnits } from '../money/index.ts';
import type { Check, CheckContext } from './check.ts';
import { finding, say, sayOrder, sentence } from './finding.ts';
import { firstInvoices } from './first-invoices.ts';
import { comparedMonths } from './order-months.ts';
import { codsApart } from './own-cod.ts';
import { ownBook, rates } from './requirement.ts';

export const impliedRate: Check = {
  code: 'implied-rate',
  severity: 'info',
  requires: [rates, ownBook],
  title: 'COD that was collected in another currency than the shop asked for implies the rate of the table.',
  async find(context) {
    const table = new RateTable(
      (await readRates(context.db)).map(({ source, line, date, from_currency, to_currency, rate }) => {
        return { place: `${source}:${line}`, date, from: from_currency, to: to_currency, rate: parseRate(rate) };
      }),
    );
    const tolerance = parseFraction(context.settings.rateTolerance);
    const swapped = (await codsApart(context)).flatMap((order) => {
      const exchange = order.wasDelivered ? exchangeOf(order.asked, order.collected) : null;
      return exchange === null ? [] : [{ ...order, exchange }];
    });
    const ids = swapped.map(({ order_id }) => order_id);
    const months = await comparedMonths(context, ids);
    const invoices = await firstInvoices(context, ids);
    const days = await deliveredOn(context, ids);
    let without = 0;
    const findings = swapped.flatMap(({ order_id, courier, exchange }) => {
      // Without the courier's record of the order nobody knows the day of its delivery: the invoice's date counts.
      const day = days.get(order_id) ?? invoices.get(order_id)!.issued_at.slice(0, 10);
      const { outcome, table: rate, line } = judgeExchange(exchange, day, table, tolerance);
      if (outcome === 'no-rate') without += 1;
      if (outcome !== 'outside') return [];
      const { asked, collected, implied } = exchange;
      const [is, should] = [sayFraction(implied), sayFraction(rate!)];
      return finding({
        ...months.get(order_id)!.shown,
        invoice_number: invoices.get(order_id)?.number ?? null,
        order_id,
        reference_id: courier.reference,
        field: 'cod',
        expected: should,
        actual: is,
        message: sentence(
          `${sayOrder(order_id, courier.reference)} was to bring ${say(amountOfUnits(asked.amount), asked.currency)} and brought ${say(amountOfUnits(collected.amount), collected.currency)} instead, which is ${is} ${collected.currency} for one ${asked.currency} where the table (${line!.place}) says ${should}: look whether that rate was agreed.`,
        ),
      });
    });
    const why = 'the table has no rate for the two currencies on or before the day';
    const notComparable = without > 0 ? [{ why, count: without }] : [];
    return { findings, compared: swapped.length - without, notComparable };
  },
};

/** The day of the first delivery of some orders that were delivered, in its own offset. */
async function deliveredOn({ db }: CheckContext, orderIds: readonly string[]): Promise<Map<string, string>> {
  const days = new Map<string, string>();
  for (const chunk of chunks(orderIds)) {
    const { rows } = await sql<{ order_id: string; at: string }>`
      select order_id, coalesce(first_delivered_at, delivered_seen_at) as at from courier_order
      where ${isOneOf('order_id', chunk)}`.execute(db);
    for (const { order_id, at } of rows) days.set(order_id, at.slice(0, 10));
  }
  return days;
}

import { sql } from 'kysely';
import { billedOrders } from './billed-orders.ts';
import type { Check, CheckContext } from './check.ts';
import { finding, sayOrder, sentence } from './finding.ts';
import { ourSource } from './knowledge.ts';
import { comparedMonths } from './order-months.ts';
import { ownLinks } from './own-links.ts';
import { population } from './population.ts';
import { ownBook } from './requirement.ts';

export const notInBooks: Check = {
  code: 'not-in-books',
  severity: 'warning',
  requires: [ownBook],
  title: 'Every order of the courier’s is in the shop’s own book.',
  async find(context) {
    const { courierOnly, ambiguous } = await ownLinks(context);
    const months = await comparedMonths(
      context,
      courierOnly.map(({ order_id }) => order_id),
    );
    const begins = await firstMonth(context);
    const isOlder = (id: string) => months.get(id)!.shown.period < begins;
    const findings = courierOnly
      .filter(({ order_id }) => !isOlder(order_id))
      .map(({ order_id, reference }) =>
        finding({
          ...months.get(order_id)!.shown,
          order_id,
          reference_id: reference,
          field: 'reference_id',
          message: sentence(
            `${sayOrder(order_id, reference)} is with the delivery company and not in your own book: look whether the sale was left out there, or the order is not yours.`,
          ),
        }),
      );
    const older = courierOnly.length - findings.length;
    const notComparable = [
      { why: 'the order is older than your own book', count: older },
      { why: 'the reference stands on several orders, so that none can be chosen', count: ambiguous.courier },
    ].filter(({ count }) => count > 0);
    const orders = await countOrders(context);
    return { findings, compared: orders - older - ambiguous.courier, notComparable };
  },
};

/** How many orders of the courier's there are: in its order book, or on invoices where that was never read. */
async function countOrders(context: CheckContext): Promise<number> {
  if (ourSource(context.knowledge) === 'own-book') return (await billedOrders(context)).size;
  return (await population(context)).orders;
}

/** The month in which the own book begins; empty where no order of it has a date. */
async function firstMonth({ db }: CheckContext): Promise<string> {
  const { rows } = await sql<{ first: string | null }>`select min(ordered_on) as first from own_order`.execute(db);
  return rows[0]?.first?.slice(0, 7) ?? '';
}

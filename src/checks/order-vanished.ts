import { sql } from 'kysely';
import type { Check } from './check.ts';
import { finding, sayOrder, sentence } from './finding.ts';
import { orderMonths } from './order-months.ts';
import { population } from './population.ts';
import { twoOrderBooks } from './requirement.ts';

export const orderVanished: Check = {
  code: 'order-vanished',
  severity: 'warning',
  requires: [twoOrderBooks],
  title: 'An order that was once in the order book stays in it.',
  claim: 'The order was in your order book and is gone from it.',
  async find(context) {
    const { db, knowledge } = context;
    const { rows } = await sql<Record<'order_id' | 'reference' | 'vanished_at', string>>`
      select order_id, reference_id as reference, vanished_at from courier_order
      where vanished_at is not null order by order_id`.execute(db);
    const months = await orderMonths(
      db,
      rows.map(({ order_id }) => order_id),
      knowledge,
    );
    const findings = rows.map(({ order_id, reference, vanished_at }) => {
      const { shown, delivered, invoiced } = months.get(order_id)!;
      const isLost = delivered !== null && invoiced.length === 0;
      const what = isLost ? ', though it was delivered and no invoice lists it' : '';
      return finding({
        ...shown,
        order_id,
        reference_id: reference,
        ...(isLost ? { severity: 'error' as const } : {}),
        message: sentence(
          `${sayOrder(order_id, reference)} is gone from the order book since ${vanished_at.slice(0, 10)}${what}: ask the delivery company why it was taken out.`,
        ),
      });
    });
    return { findings, compared: (await population(context)).orders, notComparable: [] };
  },
};

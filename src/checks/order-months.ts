import { sql } from 'kysely';
import { parseInstant } from '../instant.ts';
import { chunks } from '../ledger/index.ts';
import type { CheckContext } from './check.ts';

/** The months that an order may belong to. */
export interface OrderMonth {
  /** That of the latest invoice which lists it; null where none does. */
  readonly invoiced: string | null;
  /** That of its first delivery, else of its first statestamp, else of the order book's first walk. */
  readonly happened: string;
}

/** Finds the months of some orders of the order book, in UTC. */
export async function orderMonths(
  db: CheckContext['db'],
  orderIds: readonly string[],
): Promise<Map<string, OrderMonth>> {
  const months = new Map<string, OrderMonth>();
  const walk = await db
    .selectFrom('listing')
    .select((eb) => eb.fn.min('finished_at').as('at'))
    .where('kind', '=', 'orders')
    .executeTakeFirst();
  for (const chunk of chunks(orderIds)) {
    const orders = await sql<{
      order_id: string;
      invoiced: string | null;
      delivered: string | null;
      stamps: string | null;
    }>`
      select b.order_id, b.first_delivered_at as delivered,
        (select max(i.period) from invoice_order o join invoice i on i.number = o.invoice_number
          where o.order_id = b.order_id and i.vanished_at is null) as invoiced,
        (select s.stamped_at from statestamp s where s.order_id = b.order_id order by s.position limit 1) as stamps
      from courier_order b where b.order_id in (${sql.join([...chunk])})`.execute(db);
    for (const { order_id, invoiced, delivered, stamps } of orders.rows) {
      const stamped = stamps === null ? null : parseInstant(stamps);
      const happened = delivered ?? stamped?.toISOString() ?? walk?.at ?? '';
      months.set(order_id, { invoiced, happened: happened.slice(0, 7) });
    }
  }
  return months;
}

import { sql } from 'kysely';
import { isOneOf, unitsText } from '../ledger/sql.ts';
import { billedOrders } from './billed-orders.ts';
import type { CheckContext } from './check.ts';
import type { Collected } from './own-cod.ts';

type Line = Record<'number' | 'position', number> & Record<'order_id' | 'currency' | 'cod', string>;

/** What the invoices say of some orders' COD: each on the row on which it counts. */
export async function billedCods(
  context: CheckContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Collected>> {
  const billed = await billedOrders(context);
  const { rows } = await sql<Line>`
    select o.order_id, o.invoice_number as number, o.position, a.currency, ${unitsText('a.cod')} as cod
    from invoice_order o
    join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
    where ${isOneOf('o.order_id', ids)}
    order by o.order_id, a.currency`.execute(context.db);
  const found = new Map<string, { wasDelivered: boolean; cod: Map<string, bigint> }>();
  for (const id of ids) {
    const order = billed.get(id);
    if (order) found.set(id, { wasDelivered: order.wasDelivered, cod: new Map() });
  }
  for (const { order_id, number, position, currency, cod } of rows) {
    const order = billed.get(order_id)!;
    if (order.number === number && order.position === position) found.get(order_id)!.cod.set(currency, BigInt(cod));
  }
  return found;
}

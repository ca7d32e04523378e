/** All that is known of one order, by its id or reference. Amounts are plain decimal text, by currency. */

import { sql } from 'kysely';
import { ORDER_MONEY_FIELDS } from '../../../money/fields.ts';
import { unitsText } from '../../sql.ts';
import { amountsOf } from '../amounts.ts';
import type { LedgerReader } from '../snapshot.ts';

/** The courier's own record of an order; null where the order book never held one. */
export async function readOrderRecord(db: LedgerReader, orderId: string) {
  const record = await db.selectFrom('courier_order').selectAll().where('order_id', '=', orderId).executeTakeFirst();
  if (!record) return null;
  const of = async (table: 'courier_order_amount' | 'courier_order_delivered_amount') =>
    amountsOf(
      await db
        .selectFrom(table)
        .select('currency')
        .select(ORDER_MONEY_FIELDS.map((field) => unitsText(field).as(field)))
        .where('order_id', '=', orderId)
        .orderBy('currency')
        .execute(),
    );
  const delivered = await of('courier_order_delivered_amount');
  const statestamps = await db
    .selectFrom('statestamp')
    .select(['delivery_state', 'payment_state', 'stamped_at'])
    .where('order_id', '=', orderId)
    .orderBy('position')
    .execute();
  return {
    ...record,
    amounts: await of('courier_order_amount'),
    /** As first seen delivered, where that differs. */
    delivered_amounts: Object.keys(delivered).length > 0 ? delivered : null,
    statestamps,
  };
}

/** Whether an order is in the order book or on an invoice. */
export async function knowsOrder(db: LedgerReader, orderId: string): Promise<boolean> {
  const { rows } = await sql<{ known: number }>`
    select 1 as known where exists (select 1 from courier_order where order_id = ${orderId})
      or exists (select 1 from invoice_order where order_id = ${orderId})`.execute(db);
  return rows.length > 0;
}

/** The orders that bear a reference, the first ten by id. */
export async function readOrdersByReference(
  db: LedgerReader,
  reference: string,
  as: 'is-written' | 'in-small-letters' = 'is-written',
): Promise<string[]> {
  const isIt =
    as === 'is-written' ? sql`reference_id = ${reference}` : sql`lower(reference_id) = ${reference.toLowerCase()}`;
  const { rows } = await sql<{ order_id: string }>`
    select order_id from courier_order where ${isIt}
    union select order_id from invoice_order where ${isIt}
    order by order_id limit 10`.execute(db);
  return rows.map(({ order_id }) => order_id);
}

/** The ids and references of all orders. */
export async function readOrderNames(db: LedgerReader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select order_id as name from courier_order union select reference_id from courier_order
    union select order_id from invoice_order union select reference_id from invoice_order`.execute(db);
  return rows.map(({ name }) => name).filter((name) => name !== '');
}

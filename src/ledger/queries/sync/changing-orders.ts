/** The orders of the order book that may still change. */
import { sql } from 'kysely';
import { DELIVERED_STATES } from '../../../base/states.ts';
import { listOf } from '../../sql.ts';
import { isComparable } from '../rows/comparable.ts';
import type { LedgerReader } from '../snapshot.ts';

/**
 * The orders that are on their way, or whose money is; those whose newest record cannot be read; and those on an invoice that is newer than
 * their record, which come first.
 *
 * @param whole see {@link isComparable}
 * @param areTold whether messages tell which orders have changed: those that are on their way, or whose money is, are left out
 */
export async function readChangingOrders(db: LedgerReader, whole: number, areTold: boolean): Promise<string[]> {
  const { rows } = await sql<{ order_id: string; rank: number }>`
    select o.order_id, 1 as rank from invoice i
    join invoice_order o on o.invoice_number = i.number
    left join courier_order b on b.order_id = o.order_id
    where i.vanished_at is null and (b.order_id is null or b.vanished_at is null)
      and not ${isComparable(whole)} and (b.order_id is not null or i.detail_evidence_id > ${whole})
    union
    select b.order_id, 2 from courier_order b
    where b.vanished_at is null and (b.superseded_at is not null or (${areTold ? 0 : 1} = 1 and not (
      b.delivery_state = 'CANCELLED'
      or (b.delivery_state in ${listOf(DELIVERED_STATES)} and b.payment_state = 'PAID_TO_MERCHANT' and b.merchant_invoice is not null)
    )))
    order by 2, 1`.execute(db);
  return [...new Set(rows.map(({ order_id }) => order_id))];
}

/** The orders of the order book, those that were made last first, as far as their first statestamps tell. */
export async function readNewestOrders(db: LedgerReader): Promise<string[]> {
  const { rows } = await sql<{ order_id: string }>`
    select b.order_id from courier_order b
    left join statestamp s on s.order_id = b.order_id and s.position = 0
    where b.vanished_at is null order by coalesce(s.stamped_at, '') desc, b.order_id`.execute(db);
  return rows.map(({ order_id }) => order_id);
}

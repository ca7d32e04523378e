/** Delivered orders that no invoice lists. */
import { sql } from 'kysely';
import { unitsText } from '../../sql.ts';
import { ourRecords } from '../orders/record-sums.ts';
import type { LedgerReader } from '../snapshot.ts';

/** One currency of an order, amounts in ledger units as text; an order without an amount has one line without a currency. */
export interface UnbilledLine {
  readonly order_id: string;
  readonly reference: string;
  /** When it was first delivered, else when its record was first seen so. */
  readonly delivered: string;
  readonly first_delivered_at: string | null;
  /** Its state now. */
  readonly state: string;
  readonly vanished_at: string | null;
  /** The invoice that it names: none or one that the ledger holds (`read`), one that a list holds now (`listed`), or another (`unknown`). */
  readonly named: 'read' | 'listed' | 'unknown';
  readonly currency: string | null;
  readonly cod: string | null;
  readonly fee: string | null;
}

const DELIVERED = sql<string>`coalesce(b.first_delivered_at, b.delivered_seen_at)`;
const DELIVERED_MONTH = sql.raw('substr(coalesce(b.first_delivered_at, b.delivered_seen_at), 1, 7)');

/** The orders delivered in some months that no invoice lists, vanished ones among them, by delivery and order. */
export async function readUnbilledOrders(db: LedgerReader, periods: readonly string[]): Promise<UnbilledLine[]> {
  const { rows } = await sql<UnbilledLine>`
    with unbilled as (
      select b.order_id from courier_order b
      where b.delivered_seen_at is not null and ${DELIVERED_MONTH} in (${sql.join([...periods])})
        and b.order_id in (select order_id from courier_order except select order_id from invoice_order)
    )
    select b.order_id, b.reference_id as reference, ${DELIVERED} as delivered, b.first_delivered_at,
      b.delivery_state as state, b.vanished_at,
      case
        when b.merchant_invoice is null or b.merchant_invoice in (select cast(number as text) from invoice) then 'read'
        when b.merchant_invoice in (
          select cast(invoice_number as text) from invoice_listed where vanished_at is null
        ) then 'listed'
        else 'unknown'
      end as named,
      own.currency, ${unitsText('own.cod')} as cod, ${unitsText('own.delivery_fee')} as fee
    from unbilled
    join courier_order b on b.order_id = unbilled.order_id
    left join (${ourRecords(sql`select order_id from unbilled`)}) own on own.order_id = b.order_id
    order by ${DELIVERED}, b.order_id, own.currency`.execute(db);
  return rows;
}

/** How many orders were delivered in some months. */
export async function countDeliveredOrders(db: LedgerReader, periods: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from courier_order b
    where b.delivered_seen_at is not null and ${DELIVERED_MONTH} in (${sql.join([...periods])})`.execute(db);
  return Number(rows[0]!.count);
}

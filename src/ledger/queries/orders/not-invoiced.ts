/** Orders that no invoice lists: those on their way, and those that were delivered. */
import { sql } from 'kysely';
import { DELIVERY_STATES } from '../../../base/states.ts';
import { compareText } from '../../../base/text.ts';
import type { RowSigns } from '../../../money/returns.ts';
import { amountOfUnits } from '../../../money/units.ts';
import { inChunks } from '../../chunks.ts';
import type { CourierOrderTable } from '../../schema.ts';
import { isOneOf, netSql, unitsText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';
import { recordsAtDelivery } from './record-sums.ts';

/** A delivered order in one currency, in ledger units as text; without any amount, one line without a currency. */
export interface UnbilledLine extends Readonly<Record<'currency' | 'cod' | 'fee', string | null>> {
  readonly order_id: string;
  readonly reference: string;
  /** When it was first delivered, or if no statestamp says, when its record was first seen delivered. */
  readonly delivered: string;
  readonly first_delivered_at: string | null;
  readonly state: string;
  readonly vanished_at: string | null;
  /**
   * The invoice that its record names. `read`: none, or one whose detail was read; `listed`: one that a list shows, and
   * whose detail was never read; `unknown`: any other.
   */
  readonly named: 'read' | 'listed' | 'unknown';
}

const DELIVERED = sql<string>`coalesce(b.first_delivered_at, b.delivered_seen_at)`;
const DELIVERED_MONTH = sql`substr(${DELIVERED}, 1, 7)`;

/**
 * The orders delivered in these months that no invoice lists, not even a vanished one, by time of delivery and id;
 * vanished orders too. The amounts are the record's when first seen delivered.
 */
export function readUnbilledOrders(db: LedgerReader, periods: readonly string[]) {
  return rowsOf<UnbilledLine>(db)`
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
      amounts.currency, ${unitsText('amounts.cod')} as cod, ${unitsText('amounts.delivery_fee')} as fee
    from unbilled
    join courier_order b on b.order_id = unbilled.order_id
    left join (${recordsAtDelivery(sql`select order_id from unbilled`)}) amounts on amounts.order_id = b.order_id
    order by ${DELIVERED}, b.order_id, amounts.currency`;
}

export async function countDeliveredOrders(db: LedgerReader, periods: readonly string[]): Promise<number> {
  const rows = await rowsOf<{ count: number }>(db)`
    select count(*) as count from courier_order b
    where b.delivered_seen_at is not null and ${DELIVERED_MONTH} in (${sql.join([...periods])})`;
  return Number(rows[0]!.count);
}

/** The states from pickup to the customer's door. */
const ON_THE_WAY = DELIVERY_STATES.slice(DELIVERY_STATES.indexOf('PICKED_UP'), DELIVERY_STATES.indexOf('DELIVERED'));

/**
 * The orders that are on their way and were never delivered, by id and currency: since when the courier has had each,
 * as received (null if no statestamp says), and its COD less its fee, by its record.
 *
 * @param returns how a RETURN order's amounts count; null where nobody knows: they count as nothing
 */
export async function readTransit(db: LedgerReader, returns: RowSigns | null) {
  const rows = await rowsOf<Record<'order_id' | 'currency' | 'net', string> & { since: string | null }>(db)`
    select b.order_id, (
        select min(s.stamped_at) from statestamp s
        where s.order_id = b.order_id and ${isOneOf('s.delivery_state', ON_THE_WAY)}
      ) as since, a.currency, ${unitsText(netSql('b.workflow', 'a', returns))} as net
    from courier_order b join courier_order_amount a on a.order_id = b.order_id
    where b.vanished_at is null and b.delivered_seen_at is null and ${isOneOf('b.delivery_state', ON_THE_WAY)}
    order by b.order_id, a.currency`;
  return rows.map(({ net, ...line }) => ({ ...line, net: amountOfUnits(net) }));
}

/** The orders delivered from one day to another, both included: when the courier first had each and delivered it. */
export function readTransitTimes(db: LedgerReader, from: string, to: string) {
  return rowsOf<Record<'since' | 'first_delivered_at', string>>(db)`
    select min(s.stamped_at) as since, b.first_delivered_at
    from courier_order b join statestamp s on s.order_id = b.order_id
    where ${isOneOf('s.delivery_state', ON_THE_WAY)} and substr(b.first_delivered_at, 1, 10) between ${from} and ${to}
    group by b.order_id, b.first_delivered_at`;
}

export interface NotInvoicedOrder
  extends Pick<CourierOrderTable, 'order_id' | 'reference_id' | 'workflow' | 'district' | 'delivery_state'> {
  /** As received; if no statestamp says, when it was first seen delivered. */
  readonly delivered_at: string;
  /** The first live invoice that lists it by now; null if none does. */
  readonly invoice_number: number | null;
}

/** Delivered orders, by time of delivery. @param ids of the orders that no invoice listed at the end of a period */
export async function readNotInvoiced(db: LedgerReader, ids: readonly string[]): Promise<NotInvoicedOrder[]> {
  const orders = await inChunks(
    ids,
    (page) => rowsOf<NotInvoicedOrder>(db)`
      select b.order_id, b.reference_id, b.workflow, b.district, b.delivery_state, ${DELIVERED} as delivered_at, (
          select min(i.number) from invoice_order o join invoice i on i.number = o.invoice_number
          where o.order_id = b.order_id and i.vanished_at is null
        ) as invoice_number
      from courier_order b where ${isOneOf('b.order_id', page)}`,
  );
  return orders.sort((a, b) => compareText(a.delivered_at, b.delivered_at) || compareText(a.order_id, b.order_id));
}

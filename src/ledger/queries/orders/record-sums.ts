/** What the courier owes by the orders' own records: no amount of an invoice is read here. */
import { type RawBuilder, sql } from 'kysely';
import type { RowSigns } from '../../../money/returns.ts';
import { readSum } from '../../../money/sum.ts';
import { INVOICE_ROWS, isOneOf, signedSql, sumText } from '../../sql.ts';
import { type LedgerReader, rowsOf } from '../snapshot.ts';

/**
 * A query for `order_id, currency, cod, delivery_fee` of orders, as their records were when first seen delivered; for
 * an order that never was, as its record is now.
 *
 * @param orders a query for `order_id`
 */
export function recordsAtDelivery(orders: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select own.order_id, own.currency, own.cod, own.delivery_fee
    from (${orders}) listed join courier_order_amount own on own.order_id = listed.order_id
    where not exists (select 1 from courier_order_delivered_amount d where d.order_id = own.order_id)
    union all
    select d.order_id, d.currency, d.cod, d.delivery_fee
    from (${orders}) listed join courier_order_delivered_amount d on d.order_id = listed.order_id`;
}

export interface Due {
  readonly currency: string;
  readonly net: bigint;
}

/** Sums the orders on a month's live invoices, each once. @param returns what a RETURN order's amounts are worth */
export function sumRecordsOfMonth(db: LedgerReader, period: string, returns: RowSigns | null): Promise<Due[]> {
  return sumRecords(
    db,
    sql`select distinct o.order_id from ${INVOICE_ROWS}
      where i.period = ${period} and i.vanished_at is null`,
    returns,
  );
}

export function sumRecordsOf(db: LedgerReader, orderIds: readonly string[], returns: RowSigns | null): Promise<Due[]> {
  return sumRecords(db, sql`select order_id from courier_order where ${isOneOf('order_id', orderIds)}`, returns);
}

type Sums = Record<'currency' | 'cod' | 'fee', string>;

/**
 * COD counts for what was ever delivered, the fee for all but what was cancelled before delivery. The net is the sum of
 * both: the signs that {@link signedSql} gives make the fee negative.
 */
async function sumRecords(db: LedgerReader, orders: RawBuilder<unknown>, returns: RowSigns | null): Promise<Due[]> {
  // Few orders are returns or undelivered: it is faster to look them up once than to join every order's record.
  const isOrderWith = (condition: RawBuilder<unknown>) =>
    sql`order_id in (select order_id from courier_order where ${condition})`;
  const rows = await rowsOf<Sums>(db)`
    select own.currency, ${sumText(signedSql('own.workflow', 'cod', 'own.cod', returns))} as cod,
      ${sumText(signedSql('own.workflow', 'delivery_fee', 'own.delivery_fee', returns))} as fee
    from (
      select currency,
        case when ${isOrderWith(sql`workflow = 'RETURN'`)} then 'RETURN' end as workflow,
        case when ${isOrderWith(sql`delivered_seen_at is null`)} then 0 else cod end as cod,
        case when ${isOrderWith(sql`delivered_seen_at is null and delivery_state = 'CANCELLED'`)} then 0
          else delivery_fee end as delivery_fee
      from (${recordsAtDelivery(orders)}) records
    ) own
    group by own.currency`;
  return rows.map(({ currency, cod, fee }) => ({ currency, net: readSum(cod, currency) + readSum(fee, currency) }));
}

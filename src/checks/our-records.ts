import { type RawBuilder, sql } from 'kysely';

/**
 * Our own figure's source, order by order: COD and fee of some orders as their records said when they were first seen delivered; of one
 * that never was, as they say now. A relation of `order_id, currency, cod, delivery_fee`. The merchant's own book and tariff take the
 * courier's record's place here.
 *
 * @param orders a relation of `order_id`; an order that is in it twice is twice in the answer
 */
export function ourRecords(orders: RawBuilder<unknown>): RawBuilder<unknown> {
  // What was first seen is kept only where it is no longer what the record says: of few orders, which are looked for first.
  // A cross join keeps SQLite to the order in which its tables are named.
  return sql`
    select own.order_id, own.currency, own.cod, own.delivery_fee
    from (${orders}) listed cross join courier_order_amount own
    where own.order_id = listed.order_id
      and not exists (select 1 from courier_order_delivered_amount d where d.order_id = own.order_id)
    union all
    select d.order_id, d.currency, d.cod, d.delivery_fee
    from courier_order_delivered_amount d cross join (${orders}) listed
    where listed.order_id = d.order_id`;
}

import { sql } from 'kysely';
import type { MigrationDialect } from '../dialect.ts';
import { both, bothOf, type Views } from './view.ts';

const FIGURES = [
  'cod',
  'delivery_fee',
  'net_due_to_merchant',
  'order_cod',
  'order_delivery_fee',
  'paid',
  'unpaid',
] as const;

/** Where a parcel is that did not stay with its customer. */
const RETURNED = "o.delivery_state in ('AWAITING_RETURN', 'CANCELLED', 'DELIVERED_AT_WAREHOUSE')";
const ofReturned = (column: string) => `case when ${RETURNED} then ${column} else 0 end`;

/** The rows of the invoices that count, with their orders' own records. */
const LINES = sql`
  from invoice i
  join invoice_order o on o.invoice_number = i.number
  join invoice_order_amount a on a.invoice_number = o.invoice_number and a.position = o.position
  left join courier_order b on b.order_id = o.order_id
  where i.vanished_at is null`;

/** The months whose lists were ever walked. */
const MONTHS = sql`(select distinct period from listing where kind = 'invoices' and period is not null)`;

/** What is summed by month, and what waits at the end of each. */
export function monthViews(dialect: MigrationDialect): Views {
  const { sum, days, lastDay } = dialect;
  const summed = (column: string, name: string) => sql`${sum(column)} as ${sql.ref(name)}`;
  const delivered = 'coalesce(b.first_delivered_at, b.delivered_seen_at)';
  return {
    totals: sql`
      select c.period, s.currency, c.invoices, c.orders, ${bothOf(dialect, 's', FIGURES)}
      from (
        select period, count(*) as invoices, ${summed('row_count', 'orders')} from invoice where vanished_at is null group by period
      ) c left join (
        select period, currency, ${sql.join(FIGURES.map((name) => summed(name, name)))}
        from (
          select i.period, a.currency, a.cod, a.delivery_fee, a.net_due_to_merchant, 0 as order_cod, 0 as order_delivery_fee,
            case when i.status = 'PAID' then a.net_due_to_merchant else 0 end as paid,
            case when i.status = 'PAID' then 0 else a.net_due_to_merchant end as unpaid
          from invoice i join invoice_amount a on a.invoice_number = i.number where i.vanished_at is null
          union all
          select i.period, a.currency, 0, 0, 0, a.cod, a.delivery_fee, 0, 0
          from invoice i join invoice_order_amount a on a.invoice_number = i.number where i.vanished_at is null
        ) figures group by period, currency
      ) s on s.period = c.period`,
    fees: sql`
      select period, workflow, district, area, merchant_location, currency, orders, ${bothOf(dialect, 'f', ['cod', 'delivery_fee'])}
      from (
        select i.period, o.workflow, b.district, b.area_name as area, b.merchant_location, a.currency, count(*) as orders,
          ${summed('a.cod', 'cod')}, ${summed('a.delivery_fee', 'delivery_fee')}
        ${LINES} group by i.period, o.workflow, b.district, b.area_name, b.merchant_location, a.currency
      ) f`,
    returns: sql`
      select period, district, currency, orders, returned, ${bothOf(dialect, 'f', ['delivery_fee', 'cod'])}
      from (
        select i.period, b.district, a.currency, count(*) as orders, ${summed(ofReturned('1'), 'returned')},
          ${summed(ofReturned('a.delivery_fee'), 'delivery_fee')}, ${summed(ofReturned('a.cod'), 'cod')}
        ${LINES} group by i.period, b.district, a.currency
      ) f`,
    ageing: sql`
      select m.period, i.number, i.period as invoice_period, i.issued_at, ${days('i.issued_at', 'm.last_day')} as age, a.currency,
        ${both(dialect, 'a.net_due_to_merchant', 'unpaid')}
      from (select period, ${lastDay('period')} as last_day from ${MONTHS} months) m
      join invoice i on substr(i.issued_at, 1, 10) <= m.last_day and i.vanished_at is null and i.status <> 'PAID'
      join invoice_amount a on a.invoice_number = i.number
      where a.net_due_to_merchant <> 0`,
    not_invoiced: sql`
      select m.period, b.order_id, b.reference_id, ${sql.raw(delivered)} as delivered_at,
        ${days(delivered, 'm.last_day')} as days, b.district, b.delivery_state, (
          select min(i.number) from invoice_order o join invoice i on i.number = o.invoice_number
          where o.order_id = b.order_id and i.vanished_at is null
        ) as invoice_number, own.currency, ${bothOf(dialect, 'own', ['cod', 'delivery_fee'])},
        ${both(dialect, '(own.cod - own.delivery_fee)', 'net')}
      from (select period, ${lastDay('period')} as last_day from ${MONTHS} months) m
      join courier_order b on b.delivered_seen_at is not null and substr(${sql.raw(delivered)}, 1, 10) <= m.last_day
      left join (
        select d.order_id, d.currency, d.cod, d.delivery_fee from courier_order_delivered_amount d
        union all
        select a.order_id, a.currency, a.cod, a.delivery_fee from courier_order_amount a
        where not exists (select 1 from courier_order_delivered_amount d where d.order_id = a.order_id)
      ) own on own.order_id = b.order_id
      where not exists (
        select 1 from invoice_order o join invoice i on i.number = o.invoice_number
        where o.order_id = b.order_id and i.vanished_at is null and i.period <= m.period
      )`,
  };
}

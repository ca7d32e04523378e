import { sql } from 'kysely';
import type { MigrationDialect } from '../dialect.ts';
import { courierName, type Views } from './view.ts';

/**
 * How many days an invoice's orders waited to be invoiced, and the invoice to be paid; one row per invoice. `ranked`
 * numbers its orders by the days that they waited: of 8 orders, the third, fifth and seventh are the quartiles. An
 * order is an outlier if it waited longer than the third quartile by more than 1.5 times the distance between the first
 * and the third: with quartiles of 2 and 4 days, more than 7 (in whole numbers, `2 * days > 2 * 4 + 3 * (4 - 2)`).
 * `paid` has the invoices that were seen to become PAID: of one that was PAID when first seen nobody knows the day.
 */
export function lagView({ days, sum }: MigrationDialect): Views {
  return {
    lag: sql`
      with waited as (
        select o.courier, o.invoice_number, o.order_id, b.first_delivered_at, ${days('b.first_delivered_at', 'i.issued_at')} as days
        from invoice i join invoice_order o on o.courier = i.courier and o.invoice_number = i.number
        join courier_order b on b.courier = o.courier and b.order_id = o.order_id and b.first_delivered_at is not null
      ), ranked as (
        select courier, invoice_number, order_id, days, count(*) over (partition by courier, invoice_number) as n,
          row_number() over (partition by courier, invoice_number order by days, first_delivered_at, order_id) as place
        from waited where days is not null
      ), quarters as (
        select courier, invoice_number, max(n) as orders, max(days) as most,
          max(case when place = n / 4 + 1 then days end) as first, max(case when place = n / 2 + 1 then days end) as median,
          max(case when place = n * 3 / 4 + 1 then days end) as third, max(case when place = n then order_id end) as slowest_order
        from ranked group by courier, invoice_number
      ), beyond as (
        select r.courier, r.invoice_number, ${sum('case when 2 * r.days > 2 * q.third + 3 * (q.third - q.first) then 1 else 0 end')} as outliers
        from ranked r join quarters q on q.courier = r.courier and q.invoice_number = r.invoice_number
        group by r.courier, r.invoice_number
      ), paid as (
        select s.courier, s.invoice_number, min(s.seen_at) as seen_at from invoice_status s
        where s.status = 'PAID' and exists (
          select 1 from invoice_status earlier
          where earlier.courier = s.courier and earlier.invoice_number = s.invoice_number and earlier.evidence_id < s.evidence_id and earlier.status <> 'PAID'
        ) group by s.courier, s.invoice_number
      )
      select ${courierName('i')}, i.period, i.number, i.issued_at, coalesce(q.orders, 0) as orders, q.median as invoiced_median,
        q.most as invoiced_most, q.slowest_order, coalesce(b.outliers, 0) as outliers, p.seen_at as paid_seen_at,
        ${days('i.issued_at', 'p.seen_at')} as paid
      from invoice i left join quarters q on q.courier = i.courier and q.invoice_number = i.number
      left join beyond b on b.courier = i.courier and b.invoice_number = i.number left join paid p on p.courier = i.courier and p.invoice_number = i.number
      where i.vanished_at is null`,
  };
}

import { sql } from 'kysely';
import type { MigrationDialect } from '../dialect.ts';
import { INVOICE_MONEY, ORDER_MONEY, ROW_SUMS } from '../money.ts';
import { courierName, decimalAndUnits, decimalsAndUnits, type Views, worth } from './view.ts';

const FIGURES = [...INVOICE_MONEY, ...ROW_SUMS, 'paid', 'unpaid'];

/** The states that 1.0.0 took for a parcel that came back. */
const RETURNED_IN_1_0 = ['AWAITING_RETURN', 'CANCELLED', 'DELIVERED_AT_WAREHOUSE'];

/** A row's COD less fee; for a RETURN order as the convention has it, and null while that is unknown. */
const WORTH = `(${worth('o.workflow', 'a.cod', 'a.delivery_fee')})`;

/** The rows `o` of the invoices `i` that are on a list, in each currency `a`, with their orders' records `b`. */
const LINES = sql`
  from invoice i
  join invoice_order o on o.courier = i.courier and o.invoice_number = i.number
  join invoice_order_amount a on a.courier = o.courier and a.invoice_number = o.invoice_number and a.position = o.position
  left join courier_order b on b.courier = o.courier and b.order_id = o.order_id
  where i.vanished_at is null`;

/** The months whose lists were ever walked. */
const MONTHS = sql`(select distinct courier, period from listing where kind = 'invoices' and period is not null)`;

/** The error of a view whose month adds up to more than 64 bits hold: the report's own error, as an SQL text. */
const overflowText = (period: string, currency: string) =>
  sql`'the amounts of ' || ${sql.ref(period)} || ' in ' || ${sql.ref(currency)} || ' add up to more than the ledger can hold exactly: '
    || 'look for an absurd amount with \`remit report orders ' || ${sql.ref(period)} || ' --currency ' || ${sql.ref(currency)} || '\`'`;

const columnsOf = (names: readonly string[], table = 'a') => sql.join(names.map((name) => sql.ref(`${table}.${name}`)));

/**
 * Views with sums by month, and of the orders that were delivered but not invoiced at each month's end. Invoiced is an
 * order that an invoice of the month, or of an earlier one, was seen to list by then (its first version whenever it was
 * read), if by then the invoice had neither dropped it nor vanished. Its amounts are those when first seen delivered.
 * In `returns`, `net` is null while it is unknown how a RETURN order counts ({@link worth}).
 *
 * In the SQL of `totals`, `c` counts a month's invoices and `s` sums the amounts of their headers and rows. In that of
 * `not_invoiced`, `m` is a month, `b` an order's record, `own` its amounts, `l` says that an invoice `i` listed the
 * order, `u` that it later did not, and `v` is a version of that invoice.
 *
 * @param returned the delivery states of a parcel that came back; RETURN orders came back too
 */
export function monthViews(dialect: MigrationDialect, returned = RETURNED_IN_1_0): Views {
  const { sum, moneySum, days, lastDay } = dialect;
  const counted = (column: string, name: string) => sql`${sum(column)} as ${sql.ref(name)}`;
  const summed = (column: string, name: string, period: string, currency: string) =>
    sql`${moneySum(column, overflowText(period, currency))} as ${sql.ref(name)}`;
  const cameBack = `(o.workflow = 'RETURN' or o.delivery_state in (${returned.map((state) => `'${state}'`).join(', ')}))`;
  const ofReturned = (column: string) => `case when ${cameBack} then ${column} else 0 end`;
  const delivered = 'coalesce(b.first_delivered_at, b.delivered_seen_at)';
  return {
    totals: sql`
      select ${courierName('c')}, c.period, s.currency, c.invoices, c.orders, ${decimalsAndUnits(dialect, 's', FIGURES)}
      from (
        select courier, period, count(*) as invoices, ${counted('row_count', 'orders')} from invoice where vanished_at is null group by courier, period
      ) c left join (
        select courier, period, currency, ${sql.join(FIGURES.map((name) => summed(name, name, 'period', 'currency')))}
        from (
          select i.courier, i.period, a.currency, ${columnsOf(INVOICE_MONEY)}, ${sql.join(ROW_SUMS.map((name) => sql`0 as ${sql.ref(name)}`))},
            case when i.status = 'PAID' then a.net_due_to_merchant else 0 end as paid,
            case when i.status = 'PAID' then 0 else a.net_due_to_merchant end as unpaid
          from invoice i join invoice_amount a on a.courier = i.courier and a.invoice_number = i.number where i.vanished_at is null
          union all
          select i.courier, i.period, a.currency, ${sql.join(INVOICE_MONEY.map(() => sql`0`))}, ${columnsOf(ORDER_MONEY)}, 0, 0
          from invoice i join invoice_order_amount a on a.courier = i.courier and a.invoice_number = i.number where i.vanished_at is null
        ) figures group by courier, period, currency
      ) s on s.courier = c.courier and s.period = c.period`,
    fees: sql`
      select ${courierName('f')}, period, workflow, district, area, merchant_location, currency, orders, ${decimalsAndUnits(dialect, 'f', ORDER_MONEY)}
      from (
        select i.courier, i.period, o.workflow, b.district, b.area_name as area, b.merchant_location, a.currency, count(*) as orders,
          ${sql.join(ORDER_MONEY.map((field) => summed(`a.${field}`, field, 'i.period', 'a.currency')))}
        ${LINES} group by i.courier, i.period, o.workflow, b.district, b.area_name, b.merchant_location, a.currency
      ) f`,
    returns: sql`
      select ${courierName('f')}, period, district, currency, orders, returned, ${decimalsAndUnits(dialect, 'f', ['delivery_fee', 'cod', 'net'])}
      from (
        select i.courier, i.period, b.district, a.currency, count(*) as orders, ${counted(ofReturned('1'), 'returned')},
          ${summed(ofReturned('a.delivery_fee'), 'delivery_fee', 'i.period', 'a.currency')},
          ${summed(ofReturned('a.cod'), 'cod', 'i.period', 'a.currency')},
          case when max(case when a.currency is not null and ${sql.raw(WORTH)} is null then 1 else 0 end) = 0
            then ${moneySum(ofReturned(WORTH), overflowText('i.period', 'a.currency'))} end as net
        ${LINES} group by i.courier, i.period, b.district, a.currency
      ) f`,
    not_invoiced: sql`
      select ${courierName('b')}, m.period, b.order_id, b.reference_id, ${sql.raw(delivered)} as delivered_at,
        ${days(delivered, 'm.last_day')} as days, b.district, b.delivery_state, (
          select min(i.number) from invoice_order o join invoice i on i.courier = o.courier and i.number = o.invoice_number
          where o.courier = b.courier and o.order_id = b.order_id and i.vanished_at is null
        ) as invoice_number, own.currency, ${decimalsAndUnits(dialect, 'own', ORDER_MONEY)},
        ${decimalAndUnits(dialect, `(${worth('b.workflow', 'own.cod', 'own.delivery_fee')})`, 'net')}
      from (select courier, period, ${lastDay('period')} as last_day from ${MONTHS} months) m
      join courier_order b on b.courier = m.courier and b.delivered_seen_at is not null and substr(${sql.raw(delivered)}, 1, 10) <= m.last_day
      left join (
        select d.courier, d.order_id, d.currency, ${columnsOf(ORDER_MONEY, 'd')} from courier_order_delivered_amount d
        union all
        select a.courier, a.order_id, a.currency, ${columnsOf(ORDER_MONEY)} from courier_order_amount a
        where not exists (select 1 from courier_order_delivered_amount d
          where d.courier = a.courier and d.order_id = a.order_id)
      ) own on own.courier = b.courier and own.order_id = b.order_id
      where not exists (
        select 1 from order_listing l join invoice i on i.courier = l.courier and i.number = l.invoice_number
        where l.courier = b.courier and l.order_id = b.order_id and l.listed = 1 and i.period <= m.period
          and (substr(l.seen_at, 1, 10) <= m.last_day or l.evidence_id = (
            select min(v.evidence_id) from invoice_version v where v.courier = l.courier and v.invoice_number = l.invoice_number
          ))
          and not exists (
            select 1 from order_listing u
            where u.courier = l.courier and u.order_id = l.order_id and u.invoice_number = l.invoice_number and u.listed = 0
              and u.evidence_id > l.evidence_id and substr(u.seen_at, 1, 10) <= m.last_day
          )
          and (i.vanished_at is null or substr(i.vanished_at, 1, 10) > m.last_day)
      )`,
  };
}

import { sql } from 'kysely';
import type { Units } from '../../money/index.ts';
import { addMonths, lastDayOf } from '../../period.ts';
import { exactSum, sumHalves } from '../exact-sum.ts';
import type { PeriodCloseTable } from '../schema.ts';
import type { LedgerReader } from './snapshot.ts';

/** COD of a delivered order in one currency, as its record said when it was first seen delivered. */
export interface Delivery {
  readonly order_id: string;
  readonly reference_id: string;
  /** The day of delivery, in the statestamp's own offset. */
  readonly date: string;
  readonly currency: string;
  readonly cod: Units;
}

const DATE = sql<string>`substr(coalesce(b.first_delivered_at, b.delivered_seen_at), 1, 10)`;

/** What became known after its month was closed counts on the day on which it became known, as in {@link dayToBook}. */
function dayOf(closed: readonly BookedClose[]) {
  const seen = sql`substr(b.delivered_seen_at, 1, 10)`;
  const cases = closed.toReversed().map(({ period, at }) => {
    const open = `${addMonths(period, 1)}-01`;
    return sql`when b.delivered_seen_at > ${at} and ${DATE} <= ${lastDayOf(period)}
      then (case when ${seen} > ${open} then ${seen} else ${open} end)`;
  });
  return cases.length === 0 ? DATE : sql<string>`(case ${sql.join(cases, sql` `)} else ${DATE} end)`;
}

/** A close in force; they come by month. */
type BookedClose = Pick<PeriodCloseTable, 'period' | 'at'>;

const OWN = sql`(
  select d.order_id, d.currency, d.cod from courier_order_delivered_amount d
  union all
  select a.order_id, a.currency, a.cod from courier_order_amount a
  where not exists (select 1 from courier_order_delivered_amount d where d.order_id = a.order_id)
)`;

/** What was delivered from one day to another, both included, by day and order. */
export async function readDeliveries(
  db: LedgerReader,
  from: string,
  to: string,
  closed: readonly BookedClose[] = [],
): Promise<Delivery[]> {
  const day = dayOf(closed);
  const { rows } = await sql<Omit<Delivery, 'cod'> & { cod: string }>`
    select b.order_id, b.reference_id, ${day} as date, own.currency, cast(own.cod as text) as cod
    from courier_order b join ${OWN} own on own.order_id = b.order_id
    where b.delivered_seen_at is not null and ${day} between ${from} and ${to} and own.cod <> 0
    order by 3, b.order_id, own.currency`.execute(db);
  return rows.map((row) => ({ ...row, cod: BigInt(row.cod) }));
}

/** What was delivered in one currency on a day. */
export interface DeliveredDay {
  /** Null for all days before the first that was asked for. */
  readonly date: string | null;
  readonly currency: string;
  readonly cod: Units;
  /** How many orders had something to collect. */
  readonly orders: number;
}

/** The same summed by day and currency, and before it, without a date, what was delivered before the first day. */
export async function readDeliveredDays(
  db: LedgerReader,
  from: string,
  to: string,
  closed: readonly BookedClose[] = [],
): Promise<DeliveredDay[]> {
  const day = dayOf(closed);
  const { rows } = await sql<Record<'date' | 'currency' | 'cod_high' | 'cod_low', string> & { orders: number }>`
    select case when date < ${from} then '' else date end as date, currency, ${sumHalves(sql`cod`, 'cod')},
      cast(count(*) as integer) as orders
    from (
      select ${day} as date, d.currency, d.cod
      from courier_order b join courier_order_delivered_amount d on d.order_id = b.order_id
      where b.delivered_seen_at is not null and d.cod <> 0
      union all
      select ${day} as date, a.currency, a.cod
      from courier_order b join courier_order_amount a on a.order_id = b.order_id
      where b.delivered_seen_at is not null and a.cod <> 0
        and not exists (select 1 from courier_order_delivered_amount d where d.order_id = a.order_id)
    ) delivered
    where date <= ${to} group by 1, 2 order by 1, 2`.execute(db);
  return rows.map(({ date, currency, cod_high, cod_low, orders }) => ({
    date: date === '' ? null : date,
    currency,
    cod: exactSum(cod_high, cod_low),
    orders: Number(orders),
  }));
}

/** The COD of all that was delivered before a day, by currency. */
export async function sumDeliveriesBefore(
  db: LedgerReader,
  first: string,
  closed: readonly BookedClose[] = [],
): Promise<{ readonly currency: string; readonly cod: Units }[]> {
  const { rows } = await sql<Record<'currency' | 'cod_high' | 'cod_low', string>>`
    select own.currency, ${sumHalves(sql`own.cod`, 'cod')}
    from courier_order b join ${OWN} own on own.order_id = b.order_id
    where b.delivered_seen_at is not null and ${dayOf(closed)} < ${first}
    group by own.currency order by own.currency`.execute(db);
  return rows.map(({ currency, cod_high, cod_low }) => ({ currency, cod: exactSum(cod_high, cod_low) }));
}

import { sql } from 'kysely';
import type { Units } from '../../money/index.ts';
import { exactSum, sumHalves } from '../exact-sum.ts';
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

const DATE = sql`substr(coalesce(b.first_delivered_at, b.delivered_seen_at), 1, 10)`;
const OWN = sql`(
  select d.order_id, d.currency, d.cod from courier_order_delivered_amount d
  union all
  select a.order_id, a.currency, a.cod from courier_order_amount a
  where not exists (select 1 from courier_order_delivered_amount d where d.order_id = a.order_id)
)`;

/** What was delivered from one day to another, both included, by day and order. */
export async function readDeliveries(db: LedgerReader, from: string, to: string): Promise<Delivery[]> {
  const { rows } = await sql<Omit<Delivery, 'cod'> & { cod: string }>`
    select b.order_id, b.reference_id, ${DATE} as date, own.currency, cast(own.cod as text) as cod
    from courier_order b join ${OWN} own on own.order_id = b.order_id
    where b.delivered_seen_at is not null and ${DATE} between ${from} and ${to} and own.cod <> 0
    order by ${DATE}, b.order_id, own.currency`.execute(db);
  return rows.map((row) => ({ ...row, cod: BigInt(row.cod) }));
}

/** The COD of all that was delivered before a day, by currency. */
export async function sumDeliveriesBefore(
  db: LedgerReader,
  day: string,
): Promise<{ readonly currency: string; readonly cod: Units }[]> {
  const { rows } = await sql<Record<'currency' | 'cod_high' | 'cod_low', string>>`
    select own.currency, ${sumHalves(sql`own.cod`, 'cod')}
    from courier_order b join ${OWN} own on own.order_id = b.order_id
    where b.delivered_seen_at is not null and ${DATE} < ${day}
    group by own.currency order by own.currency`.execute(db);
  return rows.map(({ currency, cod_high, cod_low }) => ({ currency, cod: exactSum(cod_high, cod_low) }));
}

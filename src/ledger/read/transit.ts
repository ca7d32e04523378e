/** Parcels that are with the courier, and how long parcels were. */
import { sql } from 'kysely';
import { amountOfUnits, type ExactDecimal } from '../../money/index.ts';
import { DELIVERY_STATES } from '../../states.ts';
import { isOneOf } from '../sql.ts';
import type { LedgerReader } from './snapshot.ts';

/** From the hands of the merchant to the door of the customer. */
const ON_THE_WAY = DELIVERY_STATES.slice(DELIVERY_STATES.indexOf('PICKED_UP'), DELIVERY_STATES.indexOf('DELIVERED'));

/** A parcel on its way, in one currency. */
export interface TransitLine {
  readonly order_id: string;
  /** When the courier first had it, as received; null where no statestamp says so. */
  readonly since: string | null;
  readonly currency: string;
  /** What its record says that the merchant gets: COD less fee. */
  readonly net: ExactDecimal;
}

/** The orders that are on their way and were never delivered, by id and currency. */
export async function readTransit(db: LedgerReader): Promise<TransitLine[]> {
  const { rows } = await sql<Omit<TransitLine, 'net'> & { cod: string; fee: string }>`
    select b.order_id, (
        select min(s.stamped_at) from statestamp s
        where s.order_id = b.order_id and ${isOneOf('s.delivery_state', ON_THE_WAY)}
      ) as since, a.currency, cast(a.cod as text) as cod, cast(a.delivery_fee as text) as fee
    from courier_order b join courier_order_amount a on a.order_id = b.order_id
    where b.vanished_at is null and b.delivered_seen_at is null and ${isOneOf('b.delivery_state', ON_THE_WAY)}
    order by b.order_id, a.currency`.execute(db);
  return rows.map(({ cod, fee, ...line }) => ({ ...line, net: amountOfUnits(BigInt(cod) - BigInt(fee)) }));
}

/** When the courier had an order, and when it delivered it. */
export interface TransitTime {
  readonly since: string;
  readonly first_delivered_at: string;
}

/** The times of what was delivered from one day to another, both included. */
export async function readTransitTimes(db: LedgerReader, from: string, to: string): Promise<TransitTime[]> {
  const { rows } = await sql<TransitTime>`
    select min(s.stamped_at) as since, b.first_delivered_at
    from courier_order b join statestamp s on s.order_id = b.order_id
    where ${isOneOf('s.delivery_state', ON_THE_WAY)} and substr(b.first_delivered_at, 1, 10) between ${from} and ${to}
    group by b.order_id, b.first_delivered_at`.execute(db);
  return rows;
}

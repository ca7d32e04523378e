/** Parcels on their way, and how long deliveries took. */
import { sql } from 'kysely';
import { DELIVERY_STATES } from '../../../base/states.ts';
import type { ExactDecimal } from '../../../money/decimal.ts';
import type { RowWorth } from '../../../money/returns.ts';
import { amountOfUnits } from '../../../money/units.ts';
import { isOneOf, netSql, unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** The states from pickup to the customer's door. */
const ON_THE_WAY = DELIVERY_STATES.slice(DELIVERY_STATES.indexOf('PICKED_UP'), DELIVERY_STATES.indexOf('DELIVERED'));

/** A parcel on its way, in one currency. */
export interface TransitLine {
  readonly order_id: string;
  /** When the courier first had it, as received; null where no statestamp says so. */
  readonly since: string | null;
  readonly currency: string;
  /** What it is worth to you by its record. */
  readonly net: ExactDecimal;
}

/** The orders that are on their way and were never delivered, by id and currency. @param returns what a RETURN order's amounts are worth */
export async function readTransit(db: LedgerReader, returns: RowWorth | null): Promise<TransitLine[]> {
  const { rows } = await sql<Omit<TransitLine, 'net'> & { net: string }>`
    select b.order_id, (
        select min(s.stamped_at) from statestamp s
        where s.order_id = b.order_id and ${isOneOf('s.delivery_state', ON_THE_WAY)}
      ) as since, a.currency, ${unitsText(netSql('b.workflow', 'a', returns))} as net
    from courier_order b join courier_order_amount a on a.order_id = b.order_id
    where b.vanished_at is null and b.delivered_seen_at is null and ${isOneOf('b.delivery_state', ON_THE_WAY)}
    order by b.order_id, a.currency`.execute(db);
  return rows.map(({ net, ...line }) => ({ ...line, net: amountOfUnits(net) }));
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

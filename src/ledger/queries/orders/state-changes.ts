/** Orders in the order book whose states moved backwards, whose amounts changed, or that vanished. */
import { sql } from 'kysely';
import { ORDER_MONEY_FIELDS, type OrderMoneyField } from '../../../money/fields.ts';
import { unitsText } from '../../sql.ts';
import type { LedgerReader } from '../snapshot.ts';

/** A change of an order's states, and when it was seen. */
export interface StateChange {
  readonly order_id: string;
  readonly reference: string;
  readonly at: string;
  readonly from_delivery_state: string;
  readonly to_delivery_state: string;
  readonly from_payment_state: string;
  readonly to_payment_state: string;
}

/** All changes of those orders of which a state ever moved backwards, by order, oldest first. */
export async function readChangesOfRegressed(db: LedgerReader): Promise<StateChange[]> {
  const { rows } = await sql<StateChange>`
    select c.order_id, b.reference_id as reference, e.at,
      c.from_delivery_state, c.to_delivery_state, c.from_payment_state, c.to_payment_state
    from order_change c
    join courier_order b on b.order_id = c.order_id
    join evidence e on e.id = c.evidence_id
    where c.order_id in (select order_id from order_change where backward = 1)
    order by c.order_id, c.evidence_id`.execute(db);
  return rows;
}

/** A record in one currency, first seen delivered and now, in ledger units as text; null if it lacks the currency. */
export type RestatedRecord = Readonly<Record<`${OrderMoneyField}_${'then' | 'now'}`, string | null>> & {
  readonly order_id: string;
  readonly reference: string;
  readonly currency: string;
};

/** The records that changed after they were first seen delivered, by order and currency. */
export async function readRestatedRecords(db: LedgerReader): Promise<RestatedRecord[]> {
  const columns = ORDER_MONEY_FIELDS.flatMap((field) => [
    sql`${unitsText(`d.${field}`)} as ${sql.ref(`${field}_then`)}`,
    sql`${unitsText(`own.${field}`)} as ${sql.ref(`${field}_now`)}`,
  ]);
  const { rows } = await sql<RestatedRecord>`
    select named.order_id, named.currency, b.reference_id as reference, ${sql.join(columns)}
    from (
      select order_id, currency from courier_order_delivered_amount
      union
      select own.order_id, own.currency from courier_order_amount own
      where own.order_id in (select order_id from courier_order_delivered_amount)
    ) named
    join courier_order b on b.order_id = named.order_id
    left join courier_order_delivered_amount d on d.order_id = named.order_id and d.currency = named.currency
    left join courier_order_amount own on own.order_id = named.order_id and own.currency = named.currency
    order by named.order_id, named.currency`.execute(db);
  return rows;
}

export interface VanishedOrder {
  readonly order_id: string;
  readonly reference: string;
  readonly vanished_at: string;
}

/** The orders that are gone from the order book, by id. */
export async function readVanishedOrders(db: LedgerReader): Promise<VanishedOrder[]> {
  const { rows } = await sql<VanishedOrder>`
    select order_id, reference_id as reference, vanished_at from courier_order
    where vanished_at is not null order by order_id`.execute(db);
  return rows;
}

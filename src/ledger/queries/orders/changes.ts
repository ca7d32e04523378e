/** What changed of orders from a row of evidence on. */
import type { LedgerReader } from '../snapshot.ts';

/** A change of an order's record. */
export interface OrderChange {
  readonly order_id: string;
  readonly reference_id: string;
  readonly seen_at: string;
  readonly what: string;
  readonly from_delivery_state: string;
  readonly to_delivery_state: string;
  readonly from_payment_state: string;
  readonly to_payment_state: string;
  readonly from_part: number;
  readonly to_part: number;
  readonly amounts_changed: 0 | 1;
  readonly backward: 0 | 1;
}

/** The changes of orders from a row of evidence on, oldest first. @param order of this one alone */
export async function readOrderChanges(
  db: LedgerReader,
  { from = 0, order }: { from?: number; order?: string },
): Promise<OrderChange[]> {
  let query = db
    .selectFrom('order_change as c')
    .innerJoin('courier_order as o', 'o.order_id', 'c.order_id')
    .innerJoin('evidence as e', 'e.id', 'c.evidence_id')
    .select([
      'c.order_id',
      'o.reference_id',
      'e.at as seen_at',
      'c.what',
      'c.from_delivery_state',
      'c.to_delivery_state',
    ])
    .select([
      'c.from_payment_state',
      'c.to_payment_state',
      'c.from_part',
      'c.to_part',
      'c.amounts_changed',
      'c.backward',
    ])
    .where('c.evidence_id', '>=', from)
    .orderBy('c.evidence_id')
    .orderBy('c.order_id');
  if (order !== undefined) query = query.where('c.order_id', '=', order);
  return query.execute();
}

/** How many orders were first seen from a row of evidence on. */
export async function countNewOrders(db: LedgerReader, from: number): Promise<number> {
  const { count } = await db
    .selectFrom('courier_order')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('first_evidence_id', '>=', from)
    .executeTakeFirstOrThrow();
  return Number(count);
}

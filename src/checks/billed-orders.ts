import { sql } from 'kysely';
import { parseInstant } from '../instant.ts';
import type { CheckContext } from './check.ts';

/** An order as the invoices know it, whatever their months. */
export interface BilledSide {
  readonly order_id: string;
  /** By the row on which it counts: the first on the first live invoice that lists it; without a live one, on the first that did. */
  readonly reference: string;
  readonly state: string;
  readonly workflow: string;
  readonly number: number;
  readonly position: number;
  readonly period: string;
  readonly issued_at: string;
  readonly isLive: boolean;
  /** Whether any row that was read says that it was delivered. */
  readonly wasDelivered: boolean;
}

type Row = Omit<BilledSide, 'isLive' | 'wasDelivered'> & { readonly vanished_at: string | null };

/** All orders that stand on invoices, by id: what is known of the courier's orders where its order book was never read. */
export function billedOrders({
  db,
  memo,
}: Pick<CheckContext, 'db' | 'memo'>): Promise<ReadonlyMap<string, BilledSide>> {
  return memo.once('billed-orders', async () => {
    const { rows } = await sql<Row>`
      select o.order_id, o.reference_id as reference, o.delivery_state as state, o.workflow, o.position,
        i.number, i.period, i.issued_at, i.vanished_at
      from invoice i join invoice_order o on o.invoice_number = i.number
      order by i.number, o.position`.execute(db);
    const orders = new Map<string, BilledSide>();
    for (const { vanished_at, ...row } of rows) {
      const before = orders.get(row.order_id);
      const wasDelivered = row.state === 'DELIVERED' || (before?.wasDelivered ?? false);
      const side = { ...row, isLive: vanished_at === null, wasDelivered };
      orders.set(row.order_id, before && !isEarlier(side, before) ? { ...before, wasDelivered } : side);
    }
    return orders;
  });
}

/** Whether an order owes no fee: it was cancelled, and no row says that it was delivered before that. */
export function isCalledOff({ state, wasDelivered }: Pick<BilledSide, 'state' | 'wasDelivered'>): boolean {
  return state === 'CANCELLED' && !wasDelivered;
}

/** @param before comes first by number and place */
function isEarlier(row: BilledSide, before: BilledSide): boolean {
  if (row.isLive !== before.isLive) return row.isLive;
  return row.number !== before.number && instantOf(row) < instantOf(before);
}

function instantOf({ issued_at }: BilledSide): number {
  return parseInstant(issued_at)?.getTime() ?? 0;
}

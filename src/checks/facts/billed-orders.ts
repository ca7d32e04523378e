import { parseInstant } from '../../base/instant.ts';
import { isDelivered } from '../../base/states.ts';
import { readRowMoney } from '../../ledger/queries/rows/money.ts';
import { readBilledRows } from '../../ledger/queries/rows/of-orders.ts';
import type { CheckContext } from '../check.ts';

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

/** All orders that stand on invoices, by id: what is known of the courier's orders where its order book was never read. */
export function billedOrders({
  db,
  facts,
}: Pick<CheckContext, 'db' | 'facts'>): Promise<ReadonlyMap<string, BilledSide>> {
  return facts.once('billed-orders', async () => {
    const orders = new Map<string, BilledSide>();
    for (const { vanished_at, ...row } of await readBilledRows(db)) {
      const before = orders.get(row.order_id);
      const wasDelivered = isDelivered(row.state) || (before?.wasDelivered ?? false);
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

/** Whether an order counts on a row, and not on one of a lower number or place: a live invoice comes first, then the one issued first. */
function isEarlier(row: BilledSide, before: BilledSide): boolean {
  if (row.isLive !== before.isLive) return row.isLive;
  return row.number !== before.number && instantOf(row) < instantOf(before);
}

function instantOf({ issued_at }: BilledSide): number {
  return parseInstant(issued_at)?.getTime() ?? 0;
}

/** COD by currency, in units. */
export type Cod = ReadonlyMap<string, bigint>;

/** What the courier's side says of an order: COD, and whether it was ever delivered. */
export interface Collected {
  readonly cod: Cod;
  readonly wasDelivered: boolean;
}

/** What the invoices say of some orders' COD: each on the row on which it counts. */
export async function billedCods(
  context: CheckContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Collected>> {
  const billed = await billedOrders(context);
  const collected = new Map<string, { wasDelivered: boolean; cod: Map<string, bigint> }>();
  for (const id of ids) {
    const order = billed.get(id);
    if (order) collected.set(id, { wasDelivered: order.wasDelivered, cod: new Map() });
  }
  for (const { order_id, number, position, currency, cod } of await readRowMoney(context.db, ids)) {
    const order = billed.get(order_id)!;
    if (currency === null || cod === null) continue;
    const isCounted = order.number === number && order.position === position;
    if (isCounted) collected.get(order_id)!.cod.set(currency, BigInt(cod));
  }
  return collected;
}

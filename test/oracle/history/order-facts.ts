import type { KnownOrder } from './orders.ts';
import type { Amounts, ReadOrder } from './read.ts';

/** What rules 8 to 11 say of an order that has a readable record. */
export interface OrderFacts {
  readonly everDelivered: boolean;
  readonly cancelled: boolean;
  readonly now: ReadOrder;
  /** The run that brought the last readable record. */
  readonly seen: number;
  /** The record first seen delivered. */
  readonly first: Amounts | null;
  readonly delivery: { readonly at: Date; readonly month: string } | null;
}

const isDelivered = (record: ReadOrder): boolean =>
  record.delivery_state === 'DELIVERED' || record.stamps.some(({ delivery_state }) => delivery_state === 'DELIVERED');

export function factsOf(order: KnownOrder | undefined): OrderFacts | null {
  const last = order?.records.at(-1);
  if (!order || !last) return null;
  const first = order.records.find(({ document }) => isDelivered(document));
  return {
    everDelivered: first !== undefined,
    cancelled: first === undefined && last.document.delivery_state === 'CANCELLED',
    now: last.document,
    seen: last.run,
    first: first?.document ?? null,
    delivery: first ? deliveryOf(first.document, first.at) : null,
  };
}

function deliveryOf(record: ReadOrder, seen: Date): { at: Date; month: string } {
  const stamp = record.stamps.find(({ delivery_state }) => delivery_state === 'DELIVERED')?.timestamp;
  return stamp === undefined
    ? { at: seen, month: seen.toISOString().slice(0, 7) }
    : { at: new Date(stamp), month: stamp.slice(0, 7) };
}

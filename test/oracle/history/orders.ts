import { type ReadOrder, readOrder } from './read.ts';
import { isComplete, provesAbsence, type Run, type Walk, walkOf } from './walk.ts';

export interface KnownOrder {
  readonly order_id: string;
  /** Every readable record, a run each, oldest first. */
  readonly records: { readonly run: number; readonly at: Date; readonly document: ReadOrder }[];
  /** Its newest record is unreadable. */
  unreadable: boolean;
  /** A later complete walk did not hold it. */
  gone: boolean;
}

export interface Book {
  readonly orders: Map<string, KnownOrder>;
  readonly walks: Walk<ReadOrder>[];
}

/** The order book as the runs showed it. Rules 3 and 12. */
export function bookOf(runs: readonly Run[]): Book {
  const orders = new Map<string, KnownOrder>();
  const walks: Walk<ReadOrder>[] = [];
  runs.forEach((run, index) => {
    const walk = walkOf(run, index, ({ path }) => path === '/orders/', 'order_id', readOrder);
    if (!walk) return;
    walks.push(walk);
    const shown = new Set(walk.items.map(({ key }) => key));
    for (const order of orders.values()) {
      if (!shown.has(order.order_id) && provesAbsence(walk)) order.gone = true;
      if (!shown.has(order.order_id) && isComplete(walk)) order.unreadable = false;
    }
    for (const { key, document } of walk.items) {
      if (key === null) continue;
      const order = orders.get(key) ?? { order_id: key, records: [], unreadable: false, gone: false };
      orders.set(key, order);
      order.gone = false;
      order.unreadable = document === null;
      if (document) order.records.push({ run: index, at: run.at, document });
    }
  });
  return { orders, walks };
}

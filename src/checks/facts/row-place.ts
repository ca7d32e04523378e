import type { CheckContext } from '../check.ts';
import { billedTwice, type RepeatedOrder } from './billed-twice.ts';

export interface RowPlace {
  /** Which of its order's rows on the invoice it is, from 0. */
  readonly place: number;
  /**
   * Whether the order counts on this row: it is the first row on the first live invoice that lists the order. The money
   * of every other row is an effect of `order-repeated`, `order-on-two-invoices` or `invoice-vanished` alone.
   */
  readonly isCounted: boolean;
}

interface Row {
  readonly number: number;
  readonly position: number;
  readonly order_id: string;
  readonly vanished_at: string | null;
}

/** Gives a function that places the rows of these months' invoices. */
export async function rowPlaces(context: CheckContext): Promise<(row: Row) => RowPlace> {
  const twice = await billedTwice(context);
  return ({ number, position, order_id, vanished_at }) => {
    const order = twice.get(order_id);
    if (!order) return { place: 0, isCounted: vanished_at === null };
    const place = placeIn(order, number, position);
    return { place, isCounted: place === 0 && order.live[0]?.[0].number === number };
  };
}

function placeIn({ invoices }: RepeatedOrder, number: number, position: number): number {
  const rows = invoices.find(([first]) => first.number === number) ?? [];
  return Math.max(
    rows.findIndex((row) => row.position === position),
    0,
  );
}

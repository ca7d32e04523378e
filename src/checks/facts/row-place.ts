import type { CheckContext } from '../check.ts';
import { type BilledOrder, billedTwice } from './billed-twice.ts';

export interface RowPlace {
  /** Its place among the rows of its order on its invoice, from 0, counted over all of them. */
  readonly place: number;
  /**
   * Whether it is the order's first row on the first live invoice that lists it. The money of every other row is taken by
   * `order-repeated`, `order-on-two-invoices` or `invoice-vanished`, and no finding about it takes any.
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

function placeIn({ invoices }: BilledOrder, number: number, position: number): number {
  const rows = invoices.find(([first]) => first.number === number) ?? [];
  return Math.max(
    rows.findIndex((row) => row.position === position),
    0,
  );
}

import type { CheckContext } from '../check.ts';
import { billedTwice } from './billed-twice.ts';

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
    // An order with a single row anywhere.
    if (!order) return { place: 0, isCounted: vanished_at === null };
    // All rows of such an order were read, this one among them.
    const rowsOnInvoice = order.invoices.find(([first]) => first.number === number)!;
    const place = rowsOnInvoice.findIndex((row) => row.position === position);
    return { place, isCounted: place === 0 && order.live[0]?.[0].number === number };
  };
}

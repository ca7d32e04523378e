import { because } from '../../words/errors/records.ts';
import { type Column, valueAt } from './columns.ts';
import { FileFault } from './fault.ts';
import type { TableRow } from './table.ts';

/** The rows of one order in a shop's export: its first, which holds the order, and those of its further items. */
export interface OrderRows {
  readonly reference: string;
  readonly first: TableRow;
  readonly count: number;
}

/**
 * Folds the rows of a shop's export into orders. Rows after an order's first fill only the items, or repeat what the first says;
 * one that says something else is another order of the same name, which nothing can tell apart.
 *
 * @param reference the column that names the order
 * @param telling columns that are the order's, not the item's
 * @throws FileFault naming the row
 */
export function foldOrders(
  rows: readonly TableRow[],
  reference: Column,
  telling: readonly (Column | null)[],
): OrderRows[] {
  const orders = new Map<string, { reference: string; first: TableRow; count: number }>();
  for (const row of rows) {
    const name = valueAt(row, reference).text;
    if (name === '')
      throw new FileFault(because({ id: 'row-without-order' }), {
        line: row.line,
        column: reference.header,
      });
    const order = orders.get(name);
    if (order === undefined) {
      orders.set(name, { reference: name, first: row, count: 1 });
      continue;
    }
    order.count += 1;
    for (const column of telling) {
      const [now, before] = [valueAt(row, column), valueAt(order.first, column)];
      if (now.text === '' || now.text === before.text) continue;
      throw new FileFault(
        because({ id: 'order-of-two', reference: name, now: now.text, before: before.text, line: order.first.line }),
        now,
      );
    }
  }
  return [...orders.values()];
}

import { because } from '../../words/errors/records.ts';
import { SHOPIFY_HEADERS } from '../maps/built-in.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { exactAmount } from './amount-text.ts';
import {
  amountColumns,
  type Column,
  currencyOf,
  dateColumns,
  findColumn,
  needed,
  textValue,
  valueAt,
} from './columns.ts';
import { FileFault } from './fault.ts';
import type { Format } from './format.ts';
import type { FileOrder, OrdersFile, OwnOrderAmount, OwnOrderStatus } from './orders.ts';
import { tableNotes } from './receipts-table.ts';
import { foldOrders } from './shop-rows.ts';
import type { Table, TableRow } from './table.ts';

const CASH_ON_DELIVERY = /cash on delivery|\bcod\b/i;

/**
 * Reads a Shopify orders export: rows of one `Name` are one order. What the courier must collect is `Outstanding Balance`, else
 * `Total` where the payment is pending, else nothing; `Cancelled at` cancels. Columns are found by name: exports differ in them.
 *
 * @throws FileFault naming row and column
 */
export function readShopify(table: Table, map: ColumnMap<string>, format: Format): OrdersFile {
  const column = (header: string): Column | null => findColumn(table.headers, header);
  const at = Object.fromEntries(
    Object.entries(SHOPIFY_HEADERS).map(([field, header]) => [field, column(header)]),
  ) as Record<keyof typeof SHOPIFY_HEADERS, Column | null>;
  const orders = foldOrders(table.rows, at.reference!, [
    at.id,
    at.total,
    at.outstanding,
    at.paid,
    at.currency,
    at.cancelled,
  ]);
  const firsts = orders.map(({ first }) => first);
  const readDate = dateColumns(firsts, [at.ordered_on], map);
  const readAmount = amountColumns(firsts, [at.total, at.outstanding], map);
  let paidOnDelivery = 0;
  const codOf = (row: TableRow): OwnOrderAmount[] => {
    const paid = valueAt(row, at.paid).text.toLowerCase();
    const outstanding = valueAt(row, at.outstanding);
    if (outstanding.text === '' && /^(partially_paid|partially paid)$/.test(paid)) {
      throw new FileFault(because({ id: 'paid-in-part' }), valueAt(row, at.paid));
    }
    const value = outstanding.text === '' ? needed(row, at.total, 'total') : outstanding;
    const read = readAmount(value);
    const currency = currencyOf(textValue(row, at.currency) ?? map.currency ?? null, read.currency, value, at.currency);
    const owed = outstanding.text !== '' || paid === 'pending';
    if (paid === 'paid' && CASH_ON_DELIVERY.test(valueAt(row, at.method).text)) paidOnDelivery += 1;
    return [{ currency, cod: exactAmount(owed ? read.amount : '0', value) }];
  };
  return {
    format,
    map: map.name,
    orders: orders.map(
      ({ reference, first }): FileOrder => ({
        line: first.line,
        reference,
        ordered_on: readDate(needed(first, at.ordered_on, 'date')),
        status: statusOf(first, at.cancelled, at.fulfilled),
        amounts: codOf(first),
        district: textValue(first, at.district),
        note: textValue(first, at.note),
      }),
    ),
    skipped: table.skipped,
    notes: [
      ...tableNotes(table),
      ...(paidOnDelivery === 0
        ? []
        : [
            `${paidOnDelivery} orders with cash on delivery are marked paid: what is to be collected for them is read as 0`,
          ]),
    ],
  };
}

function statusOf(row: TableRow, cancelled: Column | null, fulfilled: Column | null): OwnOrderStatus {
  if (valueAt(row, cancelled).text !== '') return 'cancelled';
  return valueAt(row, fulfilled).text.toLowerCase() === 'fulfilled' ? 'handed_over' : 'open';
}

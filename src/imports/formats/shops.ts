import { groupBy } from '../../base/group.ts';
import { quoted } from '../../base/text.ts';
import { because } from '../../words/errors/records.ts';
import { SHOPIFY_HEADERS, WOOCOMMERCE_HEADERS } from '../maps/built-in.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { exactAmount } from './amount-text.ts';
import {
  amountColumns,
  currencyOf,
  dateColumns,
  type FileColumn,
  findColumn,
  firstColumn,
  requireValue,
  textValue,
  valueAt,
} from './columns.ts';
import { FileFault } from './fault.ts';
import type { Format } from './format.ts';
import type { FileOrder, OrdersFile, OwnOrderAmount, OwnOrderStatus } from './orders.ts';
import { type Table, type TableRow, tableNotes } from './table.ts';

/**
 * The first row of each order in a shop's export, which has a row per item. Later rows fill only the columns of items,
 * or repeat the first; one that differs is of another order with the same name, and the two cannot be told apart.
 *
 * @param reference the column with the order's name
 * @param orderColumns the columns that belong to the order, not the item
 * @throws FileFault naming the row
 */
function firstRowsOfOrders(
  rows: readonly TableRow[],
  reference: FileColumn,
  orderColumns: readonly (FileColumn | null)[],
): TableRow[] {
  const firstRows = new Map<string, TableRow>();
  for (const row of rows) {
    const name = valueAt(row, reference).text;
    if (name === '') {
      throw new FileFault(because({ id: 'row-without-order' }), { line: row.line, column: reference.header });
    }
    const first = firstRows.get(name);
    if (first === undefined) {
      firstRows.set(name, row);
      continue;
    }
    for (const column of orderColumns) {
      const [now, before] = [valueAt(row, column), valueAt(first, column)];
      if (now.text === '' || now.text === before.text) continue;
      throw new FileFault(
        because({ id: 'order-of-two', reference: name, now: now.text, before: before.text, line: first.line }),
        now,
      );
    }
  }
  return [...firstRows.values()];
}

/** The names that shops give cash on delivery in a Shopify export. */
const SHOPIFY_COD = /cash on delivery|\bcod\b/i;
const PAID_IN_PART = ['partially_paid', 'partially paid'];

/**
 * Reads a Shopify orders export: rows with one `Name` are one order. The courier must collect the
 * `Outstanding Balance`, or else the `Total` if the payment is pending, or else nothing. A day in `Cancelled at`
 * cancels an order.
 *
 * @throws FileFault naming row and column
 */
export function readShopify(table: Table, map: ColumnMap<string>, format: Format): OrdersFile {
  const column = (header: string): FileColumn | null => findColumn(table.headers, header);
  const at = Object.fromEntries(
    Object.entries(SHOPIFY_HEADERS).map(([field, header]) => [field, column(header)]),
  ) as Record<keyof typeof SHOPIFY_HEADERS, FileColumn | null>;
  const orderColumns = [at.id, at.total, at.outstanding, at.paid, at.currency, at.cancelled];
  const firstRows = firstRowsOfOrders(table.rows, at.reference!, orderColumns);
  const readDate = dateColumns(firstRows, [at.ordered_on], map);
  const readAmount = amountColumns(firstRows, [at.total, at.outstanding], map);
  const paymentOf = (row: TableRow): string => valueAt(row, at.paid).text.toLowerCase();
  const codOf = (row: TableRow): OwnOrderAmount[] => {
    const outstanding = valueAt(row, at.outstanding);
    if (outstanding.text === '' && PAID_IN_PART.includes(paymentOf(row))) {
      throw new FileFault(because({ id: 'paid-in-part' }), valueAt(row, at.paid));
    }
    const value = outstanding.text === '' ? requireValue(row, at.total, 'total') : outstanding;
    const read = readAmount(value);
    const currency = currencyOf(textValue(row, at.currency) ?? map.currency ?? null, read.currency, value, at.currency);
    const isOwed = outstanding.text !== '' || paymentOf(row) === 'pending';
    return [{ currency, cod: exactAmount(isOwed ? read.amount : '0', value) }];
  };
  const orders = firstRows.map(
    (row): FileOrder => ({
      line: row.line,
      reference: valueAt(row, at.reference).text,
      ordered_on: readDate(requireValue(row, at.ordered_on, 'date')),
      status: shopifyStatus(row, at.cancelled, at.fulfilled),
      amounts: codOf(row),
      district: textValue(row, at.district),
      note: textValue(row, at.note),
    }),
  );
  const notes = tableNotes(table);
  const paid = firstRows.filter((row) => paymentOf(row) === 'paid');
  const paidOnDelivery = paid.filter((row) => SHOPIFY_COD.test(valueAt(row, at.method).text)).length;
  if (paidOnDelivery > 0) {
    notes.push(
      `${paidOnDelivery} orders with cash on delivery are marked paid: what is to be collected for them is read as 0`,
    );
  }
  return { format, map: map.name, orders, skipped: table.skipped, notes };
}

function shopifyStatus(row: TableRow, cancelled: FileColumn | null, fulfilled: FileColumn | null): OwnOrderStatus {
  if (valueAt(row, cancelled).text !== '') return 'cancelled';
  return valueAt(row, fulfilled).text.toLowerCase() === 'fulfilled' ? 'handed_over' : 'open';
}

/** WooCommerce's name for cash on delivery, and titles that shops give it. */
const WOOCOMMERCE_COD =
  /^cod$|\bcod\b|cash[ -]on[ -]delivery|pay(ment)? on delivery|عند (الاستلام|التسليم|التوصيل)|à la livraison|contre[ -]?remboursement|contra ?reembolso|nachnahme/i;
/** The statuses of orders that the courier will not get. */
const NOT_SENT = new Set(['cancelled', 'canceled', 'failed', 'refunded', 'trash', 'checkout-draft', 'draft']);

/**
 * Reads the exports of WooCommerce's order plugins, each of which names its columns differently. The courier must
 * collect the total of an order that is paid by `cod`, else nothing. Notes list the titles that are not known as cash
 * on delivery.
 *
 * @throws FileFault naming row and column
 */
export function readWooCommerce(table: Table, map: ColumnMap<string>, format: Format): OrdersFile {
  const at = Object.fromEntries(
    Object.entries(WOOCOMMERCE_HEADERS).map(([field, headers]) => [field, firstColumn(table, headers)]),
  ) as Record<keyof typeof WOOCOMMERCE_HEADERS, FileColumn | null>;
  const orderColumns = [at.total, at.status, at.method, at.title, at.currency];
  const firstRows = firstRowsOfOrders(table.rows, at.reference!, orderColumns);
  const readDate = dateColumns(firstRows, [at.ordered_on], map);
  const readAmount = amountColumns(firstRows, [at.total], map);
  const methodsOf = (row: TableRow): string[] => [valueAt(row, at.method).text, valueAt(row, at.title).text];
  // A cell may have several lines, and one of them may be `cod` alone.
  const isOnDelivery = (row: TableRow): boolean =>
    methodsOf(row).some((cell) => cell.split('\n').some((line) => WOOCOMMERCE_COD.test(line)));
  const codOf = (row: TableRow): OwnOrderAmount[] => {
    const isCod = isOnDelivery(row);
    const value = requireValue(row, at.total, 'total');
    const read = readAmount(value);
    const currency = currencyOf(textValue(row, at.currency) ?? map.currency ?? null, read.currency, value, at.currency);
    return [{ currency, cod: exactAmount(isCod ? read.amount : '0', value) }];
  };
  const orders = firstRows.map((row): FileOrder => {
    const day = valueAt(row, at.ordered_on);
    return {
      line: row.line,
      reference: valueAt(row, at.reference).text,
      ordered_on: day.text === '' ? null : readDate(day),
      status: wooCommerceStatus(row, at.status),
      amounts: codOf(row),
      district: textValue(row, at.district),
      note: textValue(row, at.note),
    };
  });
  const paidBefore = firstRows.filter((row) => !isOnDelivery(row));
  const byMethod = groupBy(paidBefore, (row) => methodsOf(row).find((cell) => cell !== '') ?? 'nothing stated');
  const notes = [...byMethod].map(
    ([method, { length }]) => `${length} orders paid by ${quoted(method)}: read as paid before, nothing to collect`,
  );
  return { format, map: map.name, orders, skipped: table.skipped, notes: [...tableNotes(table), ...notes] };
}

function wooCommerceStatus(row: TableRow, column: FileColumn | null): OwnOrderStatus {
  const status = valueAt(row, column).text.toLowerCase().replace(/^wc-/, '').replaceAll(' ', '-');
  if (NOT_SENT.has(status)) return 'cancelled';
  return status === 'completed' ? 'handed_over' : 'open';
}

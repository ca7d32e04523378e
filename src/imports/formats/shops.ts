import { quoted } from '../../base/text.ts';
import { because } from '../../words/errors/records.ts';
import { SHOPIFY_HEADERS, WOOCOMMERCE_HEADERS } from '../maps/built-in.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { exactAmount } from './amount-text.ts';
import {
  amountColumns,
  type Column,
  currencyOf,
  dateColumns,
  findColumn,
  firstColumn,
  needed,
  textValue,
  valueAt,
} from './columns.ts';
import { FileFault } from './fault.ts';
import type { Format } from './format.ts';
import type { FileOrder, OrdersFile, OwnOrderAmount, OwnOrderStatus } from './orders.ts';
import { tableNotes } from './receipts-table.ts';
import type { Table, TableRow } from './table.ts';

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
function foldOrders(rows: readonly TableRow[], reference: Column, telling: readonly (Column | null)[]): OrderRows[] {
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

const SHOPIFY_COD = /cash on delivery|\bcod\b/i;

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
    if (paid === 'paid' && SHOPIFY_COD.test(valueAt(row, at.method).text)) paidOnDelivery += 1;
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
        status: shopifyStatus(first, at.cancelled, at.fulfilled),
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

function shopifyStatus(row: TableRow, cancelled: Column | null, fulfilled: Column | null): OwnOrderStatus {
  if (valueAt(row, cancelled).text !== '') return 'cancelled';
  return valueAt(row, fulfilled).text.toLowerCase() === 'fulfilled' ? 'handed_over' : 'open';
}

/** WooCommerce's own name of the method, and how shops title it. */
const WOOCOMMERCE_COD =
  /^cod$|\bcod\b|cash[ -]on[ -]delivery|pay(ment)? on delivery|عند (الاستلام|التسليم|التوصيل)|à la livraison|contre[ -]?remboursement|contra ?reembolso|nachnahme/i;
const CANCELLED = new Set(['cancelled', 'canceled', 'failed', 'refunded', 'trash', 'checkout-draft', 'draft']);

/**
 * Reads the exports of WooCommerce's order plugins, which name their columns each in its own way. What the courier must collect
 * is the order's total where it is paid by `cod`, else nothing. Titles that are not known as cash on delivery are listed.
 *
 * @throws FileFault naming row and column
 */
export function readWooCommerce(table: Table, map: ColumnMap<string>, format: Format): OrdersFile {
  const at = Object.fromEntries(
    Object.entries(WOOCOMMERCE_HEADERS).map(([field, headers]) => [field, firstColumn(table, headers)]),
  ) as Record<keyof typeof WOOCOMMERCE_HEADERS, Column | null>;
  const orders = foldOrders(table.rows, at.reference!, [at.total, at.status, at.method, at.title, at.currency]);
  const firsts = orders.map(({ first }) => first);
  const readDate = dateColumns(firsts, [at.ordered_on], map);
  const readAmount = amountColumns(firsts, [at.total], map);
  const otherwise = new Map<string, number>();
  const codOf = (row: TableRow): OwnOrderAmount[] => {
    const method = valueAt(row, at.method).text || valueAt(row, at.title).text;
    const said = `${valueAt(row, at.method).text}\n${valueAt(row, at.title).text}`.split('\n');
    const onDelivery = said.some((one) => WOOCOMMERCE_COD.test(one));
    if (!onDelivery) otherwise.set(method, (otherwise.get(method) ?? 0) + 1);
    const value = needed(row, at.total, 'total');
    const read = readAmount(value);
    const currency = currencyOf(textValue(row, at.currency) ?? map.currency ?? null, read.currency, value, at.currency);
    return [{ currency, cod: exactAmount(onDelivery ? read.amount : '0', value) }];
  };
  const read = orders.map(({ reference, first }): FileOrder => {
    const day = valueAt(first, at.ordered_on);
    return {
      line: first.line,
      reference,
      ordered_on: day.text === '' ? null : readDate(day),
      status: wooCommerceStatus(first, at.status),
      amounts: codOf(first),
      district: textValue(first, at.district),
      note: textValue(first, at.note),
    };
  });
  const notes = [...otherwise].map(
    ([method, count]) =>
      `${count} orders paid by ${quoted(method || 'nothing stated')}: read as paid before, nothing to collect`,
  );
  return { format, map: map.name, orders: read, skipped: table.skipped, notes: [...tableNotes(table), ...notes] };
}

function wooCommerceStatus(row: TableRow, column: Column | null): OwnOrderStatus {
  const status = valueAt(row, column).text.toLowerCase().replace(/^wc-/, '').replaceAll(' ', '-');
  if (CANCELLED.has(status)) return 'cancelled';
  return status === 'completed' ? 'handed_over' : 'open';
}

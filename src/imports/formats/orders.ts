import { groupBy } from '../../base/group.ts';
import { quoted } from '../../base/text.ts';
import { eachField } from '../../money/fields.ts';
import { recordsError } from '../../words/errors/records.ts';
import { SHOPIFY_HEADERS, WOOCOMMERCE_HEADERS } from '../maps/built-in.ts';
import { type ColumnMap, type Format, ORDER_FIELDS } from '../maps/column-map.ts';
import { exactAmount } from './amount-text.ts';
import {
  amountColumns,
  columnsByField,
  currencyOf,
  dateColumns,
  dayAt,
  type FileColumn,
  findColumn,
  firstColumn,
  requireValue,
  statedCurrency,
  textValue,
  type Value,
  valueAt,
} from './columns.ts';
import { FileFault } from './fault.ts';
import type { MappedFile } from './receipts-file.ts';
import { type Table, type TableRow, tableNotes } from './table.ts';

const ORDER_STATUSES = ['open', 'cancelled', 'handed_over'] as const;
export type OwnOrderStatus = (typeof ORDER_STATUSES)[number];

/** What the courier must collect in one currency: an exact decimal text, 0 if it was paid before. */
export interface OwnOrderAmount {
  readonly currency: string;
  readonly cod: string;
}

/** An order in the shop's book. What the file leaves out is null, or no amounts: an import leaves it as it was. */
export interface FileOrder {
  /** The order's first row. */
  readonly line: number;
  readonly reference: string;
  readonly ordered_on: string | null;
  readonly status: OwnOrderStatus | null;
  readonly amounts: readonly OwnOrderAmount[];
  readonly district: string | null;
  readonly note: string | null;
}

export interface OrdersFile extends MappedFile {
  readonly orders: readonly FileOrder[];
}

/**
 * Reads the shop's book by a map: each row is an order in one currency. Rows with one reference are one order, and
 * must agree on all but currency and COD.
 *
 * @throws FileFault naming row and column
 */
export function readOrdersTable(table: Table, map: ColumnMap<string>, format: Format): OrdersFile {
  const at = eachField(ORDER_FIELDS, columnsByField(table, map));
  const readDate = dateColumns(table.rows, [at.ordered_on], map);
  const readCod = codReader(table.rows, [at.cod], at.currency, map);
  const orders = new Map<string, FileOrder>();
  for (const row of table.rows) {
    const reference = requireValue(row, at.reference, 'reference').text;
    const ordered_on = dayAt(row, at.ordered_on, readDate);
    const status = readStatus(row, at.status);
    const cod = valueAt(row, at.cod);
    const order: FileOrder = {
      line: row.line,
      reference,
      ordered_on,
      status,
      amounts: cod.text === '' ? [] : [readCod(row, cod)],
      district: textValue(row, at.district),
      note: textValue(row, at.note),
    };
    const before = orders.get(reference);
    orders.set(reference, before === undefined ? order : merged(before, order));
  }
  return { format, map: map.name, orders: [...orders.values()], skipped: table.skipped, notes: tableNotes(table) };
}

/** Makes a function that reads what is to be collected for an order: the amount in a cell, or 0 if nothing is owed. */
function codReader(
  rows: readonly TableRow[],
  columns: readonly (FileColumn | null)[],
  currencyColumn: FileColumn | null,
  map: ColumnMap<string>,
) {
  const read = amountColumns(rows, columns, map);
  return (row: TableRow, value: Value, isOwed = true): OwnOrderAmount => {
    const { amount, currency } = read(value);
    const stated = statedCurrency(row, currencyColumn, map);
    return {
      currency: currencyOf(stated, currency, value, currencyColumn),
      cod: exactAmount(isOwed ? amount : '0', value),
    };
  };
}

function readStatus(row: TableRow, column: FileColumn | null): OwnOrderStatus | null {
  const value = valueAt(row, column);
  if (value.text === '') return null;
  const words = value.text.toLowerCase().replace(/[- ]/g, '_');
  const status = words === 'canceled' ? 'cancelled' : ORDER_STATUSES.find((name) => name === words);
  if (status !== undefined) return status;
  throw new FileFault(recordsError({ id: 'no-order-status', status: value.text, statuses: ORDER_STATUSES }), value);
}

/** Two rows of one order as one. @throws FileFault if they have the same currency, or contradict each other */
function merged(first: FileOrder, second: FileOrder): FileOrder {
  const { line, amounts } = second;
  const { reference } = first;
  // A second row is the order's amount in another currency: both rows must have an amount.
  const twice = amounts.find(({ currency }) => first.amounts.some((amount) => amount.currency === currency));
  if (twice || amounts.length === 0 || first.amounts.length === 0) {
    const currency = twice?.currency ?? null;
    const why = recordsError({ id: 'order-twice', reference, first: first.line, second: line, currency });
    throw new FileFault(why, { line });
  }
  for (const field of ['ordered_on', 'status', 'district', 'note'] as const) {
    if (first[field] === null || second[field] === null || first[field] === second[field]) continue;
    const why = recordsError({ id: 'order-differs', reference, field, line: first.line });
    throw new FileFault(why, { line, column: field });
  }
  return {
    ...first,
    ordered_on: first.ordered_on ?? second.ordered_on,
    status: first.status ?? second.status,
    district: first.district ?? second.district,
    note: first.note ?? second.note,
    amounts: [...first.amounts, ...amounts],
  };
}

/**
 * The first row of each order in a shop's export, which has a row per item. Later rows fill only the columns of items,
 * or repeat the first; one that differs is of another order with the same name, and the two cannot be told apart.
 *
 * @param reference the column with the order's name
 * @param columns the columns that belong to the order, not to an item
 * @throws FileFault naming the row
 */
function firstRowsOfOrders(rows: readonly TableRow[], reference: FileColumn, columns: readonly (FileColumn | null)[]) {
  const firstRows = new Map<string, TableRow>();
  for (const row of rows) {
    const name = valueAt(row, reference).text;
    if (name === '') {
      throw new FileFault(recordsError({ id: 'row-without-order' }), { line: row.line, column: reference.header });
    }
    const first = firstRows.get(name);
    if (first === undefined) {
      firstRows.set(name, row);
      continue;
    }
    for (const column of columns) {
      const [now, before] = [valueAt(row, column), valueAt(first, column)];
      if (now.text === '' || now.text === before.text) continue;
      const texts = { now: now.text, before: before.text };
      throw new FileFault(recordsError({ id: 'order-of-two', reference: name, ...texts, line: first.line }), now);
    }
  }
  return [...firstRows.values()];
}

/** The names that shops give cash on delivery in a Shopify export. */
const SHOPIFY_COD = /cash on delivery|\bcod\b/i;
const SHOPIFY_FIELDS = Object.keys(SHOPIFY_HEADERS) as (keyof typeof SHOPIFY_HEADERS)[];
const PAID_IN_PART = ['partially_paid', 'partially paid'];

/**
 * Reads a Shopify orders export: rows with one `Name` are one order. The courier must collect the
 * `Outstanding Balance`, or else the `Total` if the payment is pending, or else nothing. A day in `Cancelled at`
 * cancels an order.
 *
 * @throws FileFault naming row and column
 */
export function readShopify(table: Table, map: ColumnMap<string>, format: Format): OrdersFile {
  const at = eachField(SHOPIFY_FIELDS, (field) => findColumn(table.headers, SHOPIFY_HEADERS[field]));
  const orderColumns = [at.id, at.total, at.outstanding, at.paid, at.currency, at.cancelled];
  const firstRows = firstRowsOfOrders(table.rows, at.reference!, orderColumns);
  const readDate = dateColumns(firstRows, [at.ordered_on], map);
  const readCod = codReader(firstRows, [at.total, at.outstanding], at.currency, map);
  const paymentOf = (row: TableRow): string => valueAt(row, at.paid).text.toLowerCase();
  const codOf = (row: TableRow): OwnOrderAmount => {
    const outstanding = valueAt(row, at.outstanding);
    if (outstanding.text === '' && PAID_IN_PART.includes(paymentOf(row))) {
      throw new FileFault(recordsError({ id: 'paid-in-part' }), valueAt(row, at.paid));
    }
    if (outstanding.text !== '') return readCod(row, outstanding);
    const isOwed = paymentOf(row) === 'pending';
    return readCod(row, requireValue(row, at.total, 'total'), isOwed);
  };
  const orders = firstRows.map((row): FileOrder => {
    return {
      line: row.line,
      reference: valueAt(row, at.reference).text,
      ordered_on: readDate(requireValue(row, at.ordered_on, 'date')),
      status: shopifyStatus(row, at.cancelled, at.fulfilled),
      amounts: [codOf(row)],
      district: textValue(row, at.district),
      note: textValue(row, at.note),
    };
  });
  const notes = tableNotes(table);
  const paid = firstRows.filter((row) => paymentOf(row) === 'paid');
  const paidOnDelivery = paid.filter((row) => SHOPIFY_COD.test(valueAt(row, at.method).text)).length;
  const areRead = 'are marked paid: what is to be collected for them is read as 0';
  if (paidOnDelivery > 0) notes.push(`${paidOnDelivery} orders with cash on delivery ${areRead}`);
  return { format, map: map.name, orders, skipped: table.skipped, notes };
}

function shopifyStatus(row: TableRow, cancelled: FileColumn | null, fulfilled: FileColumn | null): OwnOrderStatus {
  if (valueAt(row, cancelled).text !== '') return 'cancelled';
  return valueAt(row, fulfilled).text.toLowerCase() === 'fulfilled' ? 'handed_over' : 'open';
}

/** WooCommerce's name for cash on delivery, and titles that shops give it. */
const WOOCOMMERCE_COD =
  /^cod$|\bcod\b|cash[ -]on[ -]delivery|pay(ment)? on delivery|عند (الاستلام|التسليم|التوصيل)|à la livraison|contre[ -]?remboursement|contra ?reembolso|nachnahme/i;
const WOOCOMMERCE_FIELDS = Object.keys(WOOCOMMERCE_HEADERS) as (keyof typeof WOOCOMMERCE_HEADERS)[];
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
  const at = eachField(WOOCOMMERCE_FIELDS, (field) => firstColumn(table.headers, WOOCOMMERCE_HEADERS[field]));
  const orderColumns = [at.total, at.status, at.method, at.title, at.currency];
  const firstRows = firstRowsOfOrders(table.rows, at.reference!, orderColumns);
  const readDate = dateColumns(firstRows, [at.ordered_on], map);
  const readCod = codReader(firstRows, [at.total], at.currency, map);
  const methodsOf = (row: TableRow): string[] => [valueAt(row, at.method).text, valueAt(row, at.title).text];
  // A cell may have several lines, and one of them may be `cod` alone.
  const isOnDelivery = (row: TableRow): boolean =>
    methodsOf(row).some((cell) => cell.split('\n').some((line) => WOOCOMMERCE_COD.test(line)));
  const orders = firstRows.map((row): FileOrder => {
    return {
      line: row.line,
      reference: valueAt(row, at.reference).text,
      ordered_on: dayAt(row, at.ordered_on, readDate),
      status: wooCommerceStatus(row, at.status),
      amounts: [readCod(row, requireValue(row, at.total, 'total'), isOnDelivery(row))],
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

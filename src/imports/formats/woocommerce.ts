import { quoted } from '../../base/text.ts';
import { WOOCOMMERCE_HEADERS } from '../maps/built-in.ts';
import type { ColumnMap } from '../maps/column-map.ts';
import { exactAmount } from './amount-text.ts';
import {
  amountColumns,
  type Column,
  currencyOf,
  dateColumns,
  firstColumn,
  needed,
  textValue,
  valueAt,
} from './columns.ts';
import type { Format } from './format.ts';
import type { FileOrder, OrdersFile, OwnOrderAmount, OwnOrderStatus } from './orders.ts';
import { tableNotes } from './receipts-table.ts';
import { foldOrders } from './shop-rows.ts';
import type { Table, TableRow } from './table.ts';

/** WooCommerce's own name of the method, and how shops title it. */
const CASH_ON_DELIVERY =
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
    const onDelivery = said.some((one) => CASH_ON_DELIVERY.test(one));
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
      status: statusOf(first, at.status),
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

function statusOf(row: TableRow, column: Column | null): OwnOrderStatus {
  const status = valueAt(row, column).text.toLowerCase().replace(/^wc-/, '').replaceAll(' ', '-');
  if (CANCELLED.has(status)) return 'cancelled';
  return status === 'completed' ? 'handed_over' : 'open';
}

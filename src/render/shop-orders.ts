import type { Report, Row } from '../../reports/model.ts';
import { csvLines, safeText } from './csv.ts';
import type { ShopFormat } from './formats.ts';

/** A CSV file with which a shop's import tool marks orders as paid. */
interface ShopLayout {
  readonly columns: readonly string[];
  /** Null if the row needs no line. @param isFirst whether no earlier row is about the same order */
  readonly lineOf: (row: Row, isFirst: boolean) => readonly string[] | null;
}

const LAYOUTS: Readonly<Record<ShopFormat, ShopLayout>> = {
  // Matrixify's sheet Orders: a payment is a line of its order.
  shopify: {
    columns: [
      'Name',
      'Command',
      'Line: Type',
      'Transaction: Kind',
      'Transaction: Processed At',
      'Transaction: Amount',
      'Transaction: Currency',
      'Transaction: Status',
    ],
    lineOf: ({ reference_id, received_on, cod, currency }) => [
      safeText(`${reference_id}`),
      'UPDATE',
      'Transaction',
      'sale',
      `${received_on}`,
      `${cod}`,
      `${currency}`,
      'success',
    ],
  },
  // Import Export Suite for WooCommerce: an order that is completed on a day was paid on it. Its numbers have no #.
  woocommerce: {
    columns: ['order_number', 'status', 'paid_date', 'payment_method', 'transaction_id'],
    lineOf: ({ reference_id, received_on, receipt }, isFirst) => {
      if (!isFirst) return null;
      const number = safeText(`${reference_id}`.trim().replace(/^#\s*/, ''));
      const [year, month, day] = `${received_on}`.split('-');
      return [number, 'completed', `${month}/${day}/${year} 00:00:00`, 'cod', `receipt ${receipt}`];
    },
  },
};

/**
 * The report of paid orders as CSV for a shop's import tool. An order without a reference is not the shop's: left out.
 *
 * @param onLeftOut called with the orders that are left out
 */
export async function* shopOrdersText(
  report: Report,
  format: ShopFormat,
  onLeftOut: (orders: readonly string[]) => void,
): AsyncGenerator<string> {
  const { columns, lineOf } = LAYOUTS[format];
  const lines: (readonly string[])[] = [columns];
  const seen = new Set<string>();
  const leftOut = new Set<string>();
  for await (const row of report.rows) {
    const order = `${row.order_id}`;
    if (`${row.reference_id}`.trim() === '') leftOut.add(order);
    else {
      const line = lineOf(row, !seen.has(order));
      if (line) lines.push(line);
    }
    seen.add(order);
  }
  if (leftOut.size > 0) onLeftOut([...leftOut]);
  yield csvLines(lines);
}

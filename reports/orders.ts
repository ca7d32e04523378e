import { type RowLine, readRowPages } from '../src/ledger/read/index.ts';
import { formatUnits, ORDER_MONEY_FIELDS, type OrderMoneyField, type Units } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import { flaggedOrders } from './flagged.ts';
import type { Cell, Column, Report, Row } from './model.ts';
import { CountSums } from './sums.ts';
import { syncedMonths } from './synced.ts';

const MONEY_TITLES: Readonly<Record<OrderMoneyField, string>> = { cod: 'COD', delivery_fee: 'Delivery fee' };

/** The columns of invoice rows, here and in a month's statement. */
export const ORDER_COLUMNS: readonly Column[] = [
  { name: 'invoice_number', title: 'Invoice', type: 'number' },
  { name: 'order_id', title: 'Order', type: 'id', key: true },
  { name: 'reference_id', title: 'Reference', type: 'id' },
  { name: 'workflow', title: 'Workflow', type: 'text' },
  { name: 'delivery_state', title: 'Delivery', type: 'text' },
  { name: 'payment_state', title: 'Payment', type: 'text' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  ...ORDER_MONEY_FIELDS.map((name): Column => ({ name, title: MONEY_TITLES[name], type: 'money' })),
  { name: 'net', title: 'Net', type: 'money' },
];

/** An invoice row's cells in one currency. `net` is its COD less its fee. */
function orderRow(line: RowLine): Row {
  const row: Record<string, Cell> = {
    invoice_number: line.invoice_number,
    order_id: line.order_id,
    reference_id: line.reference_id,
    workflow: line.workflow,
    delivery_state: line.delivery_state,
    payment_state: line.payment_state,
    currency: line.currency,
  };
  for (const field of ORDER_MONEY_FIELDS) row[field] = formatUnits(line[field]);
  row.net = formatUnits(line.cod - line.delivery_fee);
  return row;
}

/** What of an invoice row is summed: its fields and its net. */
function orderCounts(line: RowLine): Units[] {
  return [...ORDER_MONEY_FIELDS.map((field) => line[field]), line.cod - line.delivery_fee];
}

/** One row an invoice's row and currency. */
export async function orders({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const sums = new CountSums(...ORDER_MONEY_FIELDS, 'net');
  const flagged = await flaggedOrders(db, filters.code, months);
  return {
    report: 'orders',
    title: 'Orders on the invoices',
    period,
    columns: ORDER_COLUMNS,
    rows: rows(),
    totals: () => sums.rows(),
    notes: () => notes,
  };

  async function* rows(): AsyncGenerator<Row> {
    for (const month of months) {
      for await (const { lines } of readRowPages(db, month)) {
        for (const line of lines) {
          const row = orderRow(line);
          if (!fits(row, filters) || (flagged && !flagged.has(line.order_id))) continue;
          sums.add(line.currency, orderCounts(line));
          yield row;
        }
      }
    }
  }
}

import { type LedgerReader, readMismatches, readRows } from '../src/ledger/read/index.ts';
import { eachOrderField, formatAmount, ORDER_MONEY_FIELDS, type OrderMoneyField } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { CurrencySums } from './sums.ts';
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

type RowLine = ReturnType<typeof readRows> extends AsyncGenerator<infer Line> ? Line : never;

/** An invoice row in one currency: its figures, to be summed, and its cells. `net` is its COD less its fee. */
export function orderRow(line: RowLine) {
  const figures = { ...eachOrderField((field) => line[field]), net: line.cod.minus(line.delivery_fee) };
  const row = {
    invoice_number: line.invoice_number,
    order_id: line.order_id,
    reference_id: line.reference_id,
    workflow: line.workflow,
    delivery_state: line.delivery_state,
    payment_state: line.payment_state,
    currency: line.currency,
    ...eachOrderField((field) => formatAmount(line[field])),
    net: formatAmount(figures.net),
  };
  return { figures, row };
}

/** One row an invoice's row and currency. */
export async function orders({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const sums = new CurrencySums(...ORDER_MONEY_FIELDS, 'net');
  const { code } = filters;
  const flagged = code === undefined ? null : await ordersOf(db, months, code);
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
    for await (const line of readRows(db, months)) {
      const { figures, row } = orderRow(line);
      if (!fits(row, filters) || (flagged && !flagged.has(line.order_id))) continue;
      sums.add(line.currency, figures);
      yield row;
    }
  }
}

/** The orders that mismatches of a check are about. */
async function ordersOf(db: LedgerReader, months: readonly string[], code: string): Promise<Set<string | null>> {
  return new Set((await readMismatches(db, months, { codes: [code] })).map(({ order_id }) => order_id));
}

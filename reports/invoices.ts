import { readInvoices } from '../src/ledger/read/index.ts';
import { MONEY_FIELDS } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { CurrencySums, moneyCells } from './sums.ts';
import { syncedMonths } from './synced.ts';

const columns: Column[] = [
  { name: 'number', title: 'Invoice', type: 'number' },
  { name: 'period', title: 'Month', type: 'id' },
  { name: 'status', title: 'Status', type: 'text' },
  { name: 'issued_at', title: 'Issued', type: 'datetime' },
  { name: 'orders', title: 'Orders', type: 'count' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'cod', title: 'COD', type: 'money' },
  { name: 'delivery_fee', title: 'Delivery fee', type: 'money' },
  { name: 'net_due_to_merchant', title: 'Net due', type: 'money' },
];

/** One row an invoice and currency, as the invoices' details state them. */
export async function invoices({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const sums = new CurrencySums(...MONEY_FIELDS);
  return {
    report: 'invoices',
    title: 'Invoices',
    period,
    columns,
    rows: rows(),
    totals: () => sums.rows(),
    notes: () => notes,
  };

  async function* rows(): AsyncGenerator<Row> {
    for await (const line of readInvoices(db, months)) {
      const row = { ...line, ...moneyCells(line) };
      if (!fits(row, filters)) continue;
      sums.add(line.currency, line);
      yield row;
    }
  }
}

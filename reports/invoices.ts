import { readSettlements, type SettledSums } from '../src/checks/receipts/settlements.ts';
import { readInvoices } from '../src/ledger/read/index.ts';
import { formatAmount, MONEY_FIELDS } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { SETTLED_TITLES, sayBasis, settledAmounts } from './settled.ts';
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
  { name: 'received', title: SETTLED_TITLES.received, type: 'money' },
  { name: 'outstanding', title: SETTLED_TITLES.outstanding, type: 'money' },
  { name: 'basis', title: SETTLED_TITLES.basis, type: 'text' },
];

/** One row an invoice and currency, as the invoices' details state them, and what of it came in. */
export async function invoices({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const settlements = await readSettlements(db, settings);
  const sums = new CurrencySums(...MONEY_FIELDS, 'received', 'outstanding');
  const bases: SettledSums['basis'][] = [];
  return {
    report: 'invoices',
    title: 'Invoices',
    period,
    columns,
    rows: rows(),
    totals: () => sums.rows(),
    notes: () => [...sayBasis(bases), ...notes],
  };

  async function* rows(): AsyncGenerator<Row> {
    for await (const line of readInvoices(db, months)) {
      const settled = settlements.of(line.number, line.currency);
      const amounts = settled && settledAmounts(settled);
      const row = {
        ...line,
        ...moneyCells(line),
        received: amounts ? formatAmount(amounts.received) : null,
        outstanding: amounts ? formatAmount(amounts.outstanding) : null,
        basis: settled?.by ?? null,
      };
      if (!fits(row, filters)) continue;
      if (amounts) sums.add(line.currency, { ...line, ...amounts });
      if (settled) bases.push(settled.by);
      yield row;
    }
  }
}

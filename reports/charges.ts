import { readChargeSums } from '../src/ledger/queries/invoices/settlements.ts';
import { formatUnits } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { ColumnTotals } from './sums.ts';
import { syncedMonths } from './synced-months.ts';

const COLUMNS: readonly Column[] = [
  { name: 'period', title: 'Month', type: 'id' },
  { name: 'kind', title: 'Kept back as', type: 'text', key: true },
  { name: 'name', title: 'Kind', type: 'id', key: true },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'orders', title: 'Orders', type: 'count' },
  { name: 'charged', title: 'Charged', type: 'money' },
  { name: 'order_charged', title: 'Charged by the rows', type: 'money' },
  { name: 'difference', title: 'Difference', type: 'money' },
];

/** An invoice of an API has no kinds. */
export type ChargesNote = { id: 'charges-of-one-kind' };

/**
 * What the courier keeps back, by kind: charges, which it is paid, and taxes, which it withholds. `charged` is what the headers state,
 * `order_charged` the sum of their rows, and `difference` the first less the second.
 */
export async function charges({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const sums = new ColumnTotals('charged', 'order_charged', 'difference');
  const rows: Row[] = [];
  for (const { header, rows: ofRows, orders, ...line } of await readChargeSums(db, months)) {
    if (header === 0n && ofRows === 0n) continue;
    const amounts = { charged: header, order_charged: ofRows, difference: header - ofRows };
    const row: Row = {
      ...line,
      orders,
      charged: formatUnits(amounts.charged),
      order_charged: formatUnits(amounts.order_charged),
      difference: formatUnits(amounts.difference),
    };
    if (!fits(row, filters)) continue;
    rows.push(row);
    sums.add(line.currency, amounts);
  }
  const isOneKind = rows.length > 0 && rows.every(({ name }) => name === 'delivery');
  return {
    report: 'charges',
    title: 'Charges and taxes by kind',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [...(isOneKind ? [{ id: 'charges-of-one-kind' } satisfies ChargesNote] : []), ...notes],
  };
}

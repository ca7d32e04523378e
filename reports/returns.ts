import { readReturnGroups } from '../src/ledger/read/index.ts';
import { ExactDecimal, formatAmount } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { CurrencySums } from './sums.ts';
import { syncedMonths } from './synced.ts';

/** Where a parcel is that did not stay with its customer. */
const RETURNED = ['AWAITING_RETURN', 'CANCELLED', 'DELIVERED_AT_WAREHOUSE'];

const COLUMNS: readonly Column[] = [
  { name: 'by', title: 'By', type: 'text' },
  { name: 'district', title: 'District', type: 'text', key: true },
  { name: 'reference_id', title: 'Reference', type: 'id', key: true },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'orders', title: 'Orders', type: 'count' },
  { name: 'returned', title: 'Returned', type: 'count' },
  { name: 'rate', title: 'Rate', type: 'text' },
  { name: 'delivery_fee', title: 'Fees of returned', type: 'money' },
  { name: 'cod', title: 'COD still credited', type: 'money' },
];

/**
 * What came back of the invoiced orders: how many, and what their delivery cost all the same. A row a district, and after them one for
 * each reference of which something came back; the totals are those of the districts.
 */
export async function returns({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const sums = new CurrencySums('delivery_fee', 'cod');
  const rows: Row[] = [];
  for (const by of ['district', 'reference'] as const) {
    for (const { cod, delivery_fee, ...group } of await readReturnGroups(db, months, RETURNED, by)) {
      const row: Row = {
        by,
        district: group.district,
        reference_id: group.reference_id,
        currency: group.currency,
        orders: group.orders,
        returned: group.returned,
        rate: `${new ExactDecimal(group.returned).times(100).div(group.orders).toFixed(1)} %`,
        delivery_fee: formatAmount(delivery_fee),
        cod: formatAmount(cod),
      };
      if (!fits(row, filters)) continue;
      rows.push(row);
      if (by === 'district') sums.add(group.currency, { delivery_fee, cod });
    }
  }
  return {
    report: 'returns',
    title: 'Returns',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [
      'A row a district, and below them a row for each reference of which something came back: the same orders, told again.',
      'Counted over the rows of the months’ invoices: returned is what awaits its return, was cancelled, or is back at the warehouse.',
      ...notes,
    ],
  };
}

import { type ReturnGroup, readReturnGroups } from '../src/ledger/read/index.ts';
import { ExactDecimal, formatAmount } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { CurrencySums } from './sums.ts';
import { syncedMonths } from './synced.ts';

/** Where a parcel is that did not stay with its customer. */
const RETURNED = ['AWAITING_RETURN', 'CANCELLED', 'DELIVERED_AT_WAREHOUSE'];

const COLUMNS: readonly Column[] = [
  { name: 'district', title: 'District', type: 'text', key: true },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'orders', title: 'Orders', type: 'count' },
  { name: 'returned', title: 'Returned', type: 'count' },
  { name: 'rate', title: 'Rate', type: 'text' },
  { name: 'delivery_fee', title: 'Fees of returned', type: 'money' },
  { name: 'cod', title: 'COD still credited', type: 'money' },
];

/** What came back of the invoiced orders, by district: how many, and what their delivery cost all the same. */
export async function returns({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const sums = new CurrencySums('delivery_fee', 'cod');
  const districts = new Map<string, ReturnGroup[]>();
  for (const group of await readReturnGroups(db, months, RETURNED)) {
    const key = JSON.stringify([group.currency, group.district]);
    districts.set(key, [...(districts.get(key) ?? []), group]);
  }
  const rows: Row[] = [];
  for (const groups of districts.values()) {
    const { district, currency } = groups[0]!;
    const back = groups.find(({ returned }) => returned);
    const orders = groups.reduce((sum, group) => sum + group.orders, 0);
    const amounts = { delivery_fee: back?.delivery_fee ?? new ExactDecimal(0), cod: back?.cod ?? new ExactDecimal(0) };
    const row: Row = {
      district,
      currency,
      orders,
      returned: back?.orders ?? 0,
      rate: `${new ExactDecimal(back?.orders ?? 0).times(100).div(orders).toFixed(1)} %`,
      delivery_fee: formatAmount(amounts.delivery_fee),
      cod: formatAmount(amounts.cod),
    };
    if (!fits(row, filters)) continue;
    rows.push(row);
    sums.add(currency, amounts);
  }
  return {
    report: 'returns',
    title: 'Returns',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [
      'Counted over the rows of the months’ invoices: returned is what awaits its return, was cancelled, or is back at the warehouse.',
      ...notes,
    ],
  };
}

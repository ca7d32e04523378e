import { readNotInvoiced, readOrderBook } from '../src/ledger/read/index.ts';
import { formatAmount } from '../src/money/index.ts';
import { lastDayOf } from '../src/period.ts';
import type { ReportContext } from './context.ts';
import { daysUntil } from './days.ts';
import { fits } from './filters.ts';
import { flaggedOrders } from './flagged.ts';
import type { Column, Report, Row } from './model.ts';
import { CurrencySums } from './sums.ts';
import { syncedMonths } from './synced.ts';

const COLUMNS: readonly Column[] = [
  { name: 'order_id', title: 'Order', type: 'id', key: true },
  { name: 'reference_id', title: 'Reference', type: 'id' },
  { name: 'delivered_at', title: 'Delivered on', type: 'datetime' },
  { name: 'days', title: 'Days waiting', type: 'days' },
  { name: 'district', title: 'District', type: 'text' },
  { name: 'delivery_state', title: 'State', type: 'text' },
  { name: 'invoice_number', title: 'Invoiced since on', type: 'number' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'cod', title: 'COD', type: 'money' },
  { name: 'delivery_fee', title: 'Delivery fee', type: 'money' },
  { name: 'net', title: 'Net', type: 'money' },
];

/** What was delivered by the period's end and stood on no invoice then: the accrual, at what each order's own record says. */
export async function notInvoiced({ db, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { notes } = await syncedMonths(db, periods);
  const end = lastDayOf(periods.at(-1)!);
  const book = await readOrderBook(db);
  const sums = new CurrencySums('cod', 'delivery_fee', 'net');
  const flagged = await flaggedOrders(db, filters.code);
  const rows: Row[] = [];
  for (const line of await readNotInvoiced(db, end)) {
    const net = line.cod.minus(line.delivery_fee);
    const row: Row = {
      order_id: line.order_id,
      reference_id: line.reference_id,
      delivered_at: line.delivered_at,
      days: daysUntil(line.delivered_at, end),
      district: line.district,
      delivery_state: line.delivery_state,
      invoice_number: line.invoice_number,
      currency: line.currency,
      cod: formatAmount(line.cod),
      delivery_fee: formatAmount(line.delivery_fee),
      net: formatAmount(net),
    };
    if (!fits(row, filters) || (flagged && !flagged.has(line.order_id))) continue;
    rows.push(row);
    sums.add(line.currency, { cod: line.cod, delivery_fee: line.delivery_fee, net });
  }
  return {
    report: 'not-invoiced',
    title: 'Not invoiced',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [...noteOf(book.state), ...notes],
  };
}

function noteOf(state: 'none' | 'partial' | 'complete'): string[] {
  if (state === 'complete') return [];
  return [
    state === 'none'
      ? 'The order book was never synced: what was delivered and not invoiced is not known. Run `remit sync --orders`.'
      : 'No sync brought the whole order book: more may have been delivered. Run `remit sync --orders`.',
  ];
}

import { dayIn } from '../src/base/day.ts';
import { lastDayOf } from '../src/base/period.ts';
import { accruedAt } from '../src/checks/facts/accruals.ts';
import { readReturns } from '../src/checks/facts/returns/standing.ts';
import { netWorth } from '../src/checks/finding.ts';
import { type NotInvoicedOrder, readNotInvoiced, readOrderBook } from '../src/ledger/queries/index.ts';
import { amountOfUnits, type ExactDecimal, formatAmount, worthOfWorkflow } from '../src/money/index.ts';
import type { ReportContext } from './context.ts';
import { daysUntil } from './days.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { ordersWithMismatch } from './orders-with-mismatch.ts';
import { ColumnTotals } from './sums.ts';
import { syncedMonths } from './synced-months.ts';

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

/** No sync brought the whole order book: what was delivered is not known (none), or not all of it (partial). */
export type NotInvoicedNote = { id: 'not-invoiced-unsure'; orderBook: 'none' | 'partial' };

/** What was delivered by the period's end and stood on no invoice then: the accrual, at the agreed price, else the fee of the order's own record. */
export async function notInvoiced({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { notes } = await syncedMonths(db, periods);
  const end = lastDayOf(periods.at(-1)!);
  const book = await readOrderBook(db);
  const sums = new ColumnTotals('cod', 'delivery_fee', 'net');
  const { worth: returns } = await readReturns(db, settings.returns);
  const flagged = await ordersWithMismatch(db, filters.code);
  const rows: Row[] = [];
  for (const line of await readAccrued(db, end, settings.timeZone)) {
    const worth = worthOfWorkflow(line.workflow, returns);
    const net = netWorth(line, worth);
    const isUnknown = worth === null && !(line.cod.isZero() && line.delivery_fee.isZero());
    const row: Row = {
      order_id: line.order_id,
      reference_id: line.reference_id,
      delivered_at: line.delivered_at,
      days: daysUntil(dayIn(line.delivered_at, settings.timeZone), end),
      district: line.district,
      delivery_state: line.delivery_state,
      invoice_number: line.invoice_number,
      currency: line.currency,
      cod: formatAmount(line.cod),
      delivery_fee: formatAmount(line.delivery_fee),
      net: isUnknown ? null : formatAmount(net),
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

/** An order that is accrued, in one currency; one line without a currency where neither its record nor the rate card has an amount. */
interface AccruedOrder extends NotInvoicedOrder {
  readonly currency: string | null;
  readonly cod: ExactDecimal;
  readonly delivery_fee: ExactDecimal;
}

const WITHOUT_AMOUNT = { currency: null, cod: 0n, delivery_fee: 0n };

/** What was accrued at the end of a day, by delivery. */
export async function readAccrued(db: ReportContext['db'], day: string, zone: string): Promise<AccruedOrder[]> {
  const accrued = await accruedAt(db, day, zone);
  return (await readNotInvoiced(db, [...accrued.keys()])).flatMap((order) => {
    const amounts = accrued.get(order.order_id)!;
    return (amounts.length > 0 ? amounts : [WITHOUT_AMOUNT]).map(({ currency, cod, delivery_fee }) => ({
      ...order,
      ...{ currency, cod: amountOfUnits(cod), delivery_fee: amountOfUnits(delivery_fee) },
    }));
  });
}

function noteOf(state: 'none' | 'partial' | 'complete'): NotInvoicedNote[] {
  return state === 'complete' ? [] : [{ id: 'not-invoiced-unsure', orderBook: state }];
}

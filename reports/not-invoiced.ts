import { dayIn } from '../src/base/day.ts';
import { lastDayOf } from '../src/base/period.ts';
import { accruedAt } from '../src/checks/facts/accruals.ts';
import { comesAsSheets } from '../src/checks/facts/months.ts';
import { readReturns } from '../src/checks/facts/returns/convention.ts';
import { type NotInvoicedOrder, readNotInvoiced } from '../src/ledger/queries/orders/not-invoiced.ts';
import { readOrderBook } from '../src/ledger/queries/sync/fetched.ts';
import type { ExactDecimal } from '../src/money/decimal.ts';
import { formatAmount } from '../src/money/format.ts';
import { countedOfRow, netOfRow, type RowSigns } from '../src/money/returns.ts';
import { amountOfUnits } from '../src/money/units.ts';
import type { ReportContext } from './context.ts';
import { daysBetween } from './days.ts';
import { fits } from './filters.ts';
import type { Column, Report, Row } from './model.ts';
import { ordersWithMismatch } from './orders.ts';
import { ColumnTotals } from './sums.ts';
import { syncedMonths } from './synced-months.ts';

const COLUMNS: readonly Column[] = [
  { name: 'order_id', type: 'id', key: true },
  { name: 'reference_id', type: 'id' },
  { name: 'delivered_at', type: 'datetime' },
  { name: 'days', type: 'days' },
  { name: 'district', type: 'text' },
  { name: 'delivery_state', type: 'text' },
  { name: 'invoice_number', type: 'number' },
  { name: 'currency', type: 'text', key: true },
  { name: 'cod', type: 'money' },
  { name: 'delivery_fee', type: 'money' },
  { name: 'net', type: 'money' },
];

/**
 * The whole order book was never fetched: what was delivered is not known (`none`), or not all of it (`partial`). A
 * courier of settlement sheets shows none (`sheets`), and no sync brings one.
 */
export type NotInvoicedNote = { id: 'not-invoiced-unsure'; orderBook: 'none' | 'partial' | 'sheets' };

/** What was delivered by the period's end but on no invoice then: the accrual, with the agreed fee or the record's. */
export async function notInvoiced({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { notes } = await syncedMonths({ db, settings, periods });
  const end = lastDayOf(periods.at(-1)!);
  const unsure = await unsureNotes({ db, settings });
  const sums = new ColumnTotals('cod', 'delivery_fee', 'net');
  const { signs } = await readReturns(db, settings.returns);
  const ordersWithCode = await ordersWithMismatch(db, filters.code);
  const rows: Row[] = [];
  for (const line of await readAccrued(db, end, settings.timeZone, signs)) {
    const cellOf = (amount: ExactDecimal) => (line.isNetKnown ? formatAmount(amount) : null);
    const row: Row = {
      order_id: line.order_id,
      reference_id: line.reference_id,
      delivered_at: line.delivered_at,
      days: daysBetween(dayIn(line.delivered_at, settings.timeZone), end),
      district: line.district,
      delivery_state: line.delivery_state,
      invoice_number: line.invoice_number,
      currency: line.currency,
      cod: cellOf(line.cod),
      delivery_fee: cellOf(line.delivery_fee),
      net: cellOf(line.cod.minus(line.delivery_fee)),
    };
    if (!fits(row, filters) || (ordersWithCode && !ordersWithCode.has(line.order_id))) continue;
    rows.push(row);
    const { cod, delivery_fee } = line;
    sums.add(line.currency, { cod, delivery_fee, net: cod.minus(delivery_fee) });
  }
  return {
    report: 'not-invoiced',
    title: 'Not invoiced',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [...unsure, ...notes],
  };
}

/**
 * An accrued order in one currency, with the amounts that count for the merchant: the cost of a return is negative COD.
 * The currency is null if neither the order's record nor the rate card has an amount.
 */
interface AccruedOrder extends NotInvoicedOrder {
  readonly currency: string | null;
  readonly cod: ExactDecimal;
  readonly delivery_fee: ExactDecimal;
  /** False for a return if nobody knows what returns are worth: it counts as nothing. */
  readonly isNetKnown: boolean;
}

const WITHOUT_AMOUNT = { currency: null, cod: 0n, delivery_fee: 0n };

/** What the journal has accrued at the end of a day, sorted by delivery. @param signs how a RETURN order counts */
export async function readAccrued(
  db: ReportContext['db'],
  day: string,
  zone: string,
  signs: RowSigns | null,
): Promise<AccruedOrder[]> {
  const accrued = await accruedAt(db, day, zone);
  return (await readNotInvoiced(db, [...accrued.keys()])).flatMap((order) => {
    const amounts = accrued.get(order.order_id)!;
    return (amounts.length > 0 ? amounts : [WITHOUT_AMOUNT]).map(({ currency, ...amount }) => {
      const row = { ...amount, workflow: order.workflow };
      const { cod, delivery_fee } = countedOfRow(row, signs);
      return {
        ...order,
        currency,
        cod: amountOfUnits(cod),
        delivery_fee: amountOfUnits(delivery_fee),
        isNetKnown: netOfRow(row, signs) !== null,
      };
    });
  });
}

/** That deliveries may be missing, where the whole order book was never fetched. */
export async function unsureNotes({
  db,
  settings,
}: Pick<ReportContext, 'db' | 'settings'>): Promise<NotInvoicedNote[]> {
  const { state } = await readOrderBook(db);
  if (state === 'complete') return [];
  return [{ id: 'not-invoiced-unsure', orderBook: (await comesAsSheets(db, settings)) ? 'sheets' : state }];
}

import { dayIn, daysBetween } from '../src/base/day.ts';
import { lastDayOf } from '../src/base/period.ts';
import { accruedAt } from '../src/checks/facts/accruals.ts';
import { comesAsSheets } from '../src/checks/facts/months.ts';
import { readReturns } from '../src/checks/facts/returns/convention.ts';
import { readNotInvoiced } from '../src/ledger/queries/orders/not-invoiced.ts';
import { readOrderBook } from '../src/ledger/queries/sync/fetched.ts';
import { formatAmount } from '../src/money/decimal.ts';
import { eachField } from '../src/money/fields.ts';
import { countedOfRow, netOfRow, type RowSigns } from '../src/money/returns.ts';
import { amountOfUnits } from '../src/money/units.ts';
import { ColumnTotals, columnsOf, rowIn } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { syncedMonths } from './notes.ts';
import { ordersWithMismatch } from './orders.ts';

const MONEY = ['cod', 'delivery_fee', 'net'] as const;
const COLUMNS = columnsOf(
  'order_id* reference_id delivered_at days district delivery_state',
  'invoice_number currency* cod delivery_fee net',
);

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
  const sums = new ColumnTotals(...MONEY);
  const { signs } = await readReturns(db, settings.returns);
  const ordersWithCode = await ordersWithMismatch(db, filters.code);
  const rows: Row[] = [];
  for (const { cod, delivery_fee, isNetKnown, ...order } of await readAccrued(db, end, settings.timeZone, signs)) {
    const amounts = { cod, delivery_fee, net: cod.minus(delivery_fee) };
    const row = rowIn(COLUMNS, {
      ...order,
      days: daysBetween(dayIn(order.delivered_at, settings.timeZone), end),
      ...eachField(MONEY, (name) => (isNetKnown ? formatAmount(amounts[name]) : null)),
    });
    if (!fits(row, filters) || (ordersWithCode && !ordersWithCode.has(order.order_id))) continue;
    rows.push(row);
    sums.add(order.currency, amounts);
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

const WITHOUT_AMOUNT = { currency: null, cod: 0n, delivery_fee: 0n };

/**
 * What the journal has accrued at the end of a day, sorted by delivery: orders in one currency each, with the amounts
 * that count for the merchant. The cost of a return is negative COD; `isNetKnown` is false for one if nobody knows what
 * returns are worth: it counts as nothing. The currency is null if neither the order's record nor the rate card has an
 * amount.
 *
 * @param signs how a RETURN order counts
 */
export async function readAccrued(db: ReportContext['db'], day: string, zone: string, signs: RowSigns | null) {
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

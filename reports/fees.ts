import { comesAsSheets } from '../src/checks/facts/months.ts';
import { countsFee, readReturns } from '../src/checks/facts/returns/convention.ts';
import { readFeeGroups } from '../src/ledger/queries/rows/fees-and-returns.ts';
import { formatAmount, ZERO } from '../src/money/decimal.ts';
import { ColumnTotals, columnsOf, rowIn } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { syncedMonths } from './notes.ts';

const COLUMNS = columnsOf(
  'workflow* district* area merchant_location currency*',
  'orders cod delivery_fee fee_an_order fee_share',
);

export type FeesNote = { id: 'fees-without-places' } | { id: 'fee-an-order-rounded' } | { id: 'return-fees-are-none' };

/** What delivery cost, by workflow, district, area and pickup location. */
export async function fees({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const sums = new ColumnTotals('cod', 'delivery_fee');
  const rows: Row[] = [];
  const { signs: returnSigns } = await readReturns(db, settings.returns);
  let hasWaivedFee = false;
  for (const { cod, delivery_fee: statedFee, ...group } of await readFeeGroups(db, months)) {
    // A courier may bring returns back for nothing: then a fee that a row states counts as none.
    const isWaived = group.workflow === 'RETURN' && !countsFee(returnSigns) && !statedFee.isZero();
    const delivery_fee = isWaived ? ZERO : statedFee;
    const row = rowIn(COLUMNS, {
      ...group,
      cod: formatAmount(cod),
      delivery_fee: formatAmount(delivery_fee),
      fee_an_order: delivery_fee.div(group.orders).toFixed(2),
      fee_share: cod.greaterThan(0) ? `${delivery_fee.times(100).div(cod).toFixed(1)} %` : null,
    });
    if (!fits(row, filters)) continue;
    hasWaivedFee ||= isWaived;
    rows.push(row);
    sums.add(group.currency, { cod, delivery_fee });
  }
  // The courier's order book would name the places; a courier that sends sheets has none.
  const isPlaceless = rows.length > 0 && rows.every(({ district, area }) => district === null && area === null);
  const canBePlaced = isPlaceless && !(await comesAsSheets(db, settings));
  return {
    report: 'fees',
    title: 'Fees',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [
      ...(canBePlaced ? [{ id: 'fees-without-places' } satisfies FeesNote] : []),
      ...(hasWaivedFee ? [{ id: 'return-fees-are-none' } satisfies FeesNote] : []),
      { id: 'fee-an-order-rounded' } satisfies FeesNote,
      ...notes,
    ],
  };
}

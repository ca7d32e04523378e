import { NOT_COLLECTED_STATES } from '../src/base/states.ts';
import { readReturns } from '../src/checks/facts/returns/convention.ts';
import { readReturnGroups } from '../src/ledger/queries/rows/fees-and-returns.ts';
import { ExactDecimal, formatAmount, ZERO } from '../src/money/decimal.ts';
import { ColumnTotals, columnsOf, rowIn } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { syncedMonths } from './notes.ts';

const COLUMNS = columnsOf('by district* reference_id* currency* orders returned rate delivery_fee cod net');

/** How the rows are to be read, and what counts as returned. */
export type ReturnsNote = { id: 'returns-by-district-and-reference' } | { id: 'returned-means' };

/**
 * How many of the invoiced orders came back and what they cost, with what you pay on RETURN orders. First one row per
 * district, then one per reference of which something came back; the totals are those of the districts.
 */
export async function returns({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, notes } = await syncedMonths({ db, settings, periods });
  const sums = new ColumnTotals('delivery_fee', 'cod', 'net');
  // How a RETURN row counts; null while nobody knows: then its net is empty, and the total of its currency too.
  const { signs } = await readReturns(db, settings.returns);
  const currenciesOfUnknownNet = new Set<string | null>();
  const rows: Row[] = [];
  for (const by of ['district', 'reference'] as const) {
    const groups = await readReturnGroups(db, months, NOT_COLLECTED_STATES, signs, by);
    for (const { cod, delivery_fee, net, ...group } of groups) {
      const row = rowIn(COLUMNS, {
        ...group,
        by,
        rate: `${new ExactDecimal(group.returned).times(100).div(group.orders).toFixed(1)} %`,
        delivery_fee: formatAmount(delivery_fee),
        cod: formatAmount(cod),
        net: net === null ? null : formatAmount(net),
      });
      if (!fits(row, filters)) continue;
      rows.push(row);
      if (net === null) currenciesOfUnknownNet.add(group.currency);
      if (by === 'district') sums.add(group.currency, { delivery_fee, cod, net: net ?? ZERO });
    }
  }
  return {
    report: 'returns',
    title: 'Returns',
    period,
    columns: COLUMNS,
    rows,
    totals: () =>
      sums.rows().map((row) => (currenciesOfUnknownNet.has(row.currency as string) ? { ...row, net: null } : row)),
    notes: () => [
      { id: 'returns-by-district-and-reference' } satisfies ReturnsNote,
      { id: 'returned-means' } satisfies ReturnsNote,
      ...notes,
    ],
  };
}

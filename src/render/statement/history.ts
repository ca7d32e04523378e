import { formatAmount } from '../../money/index.ts';
import type { Accent } from '../colour.ts';
import { amountCell, derivedCell } from '../workbook/amounts.ts';
import { absoluteRange } from '../workbook/formulas.ts';
import type { Chart, ChartSeries, SheetCell } from '../workbook/model.ts';
import { exactNumber } from '../workbook/values.ts';
import type { SaidStatement } from './in-language.ts';
import { AMOUNT, HEAD, HEAD_RIGHT, LINE, SECTION } from './looks.ts';
import type { Page } from './page.ts';

const SERIES = [
  { figure: 'cod', name: 'COD', title: { id: 'statement/cod' }, kind: 'bar', isApart: false },
  {
    figure: 'delivery_fee',
    name: 'DELIVERY_FEES',
    title: { id: 'statement/delivery-fees' },
    kind: 'line',
    isApart: true,
  },
  {
    figure: 'net_due_to_merchant',
    name: 'NET_DUE',
    title: { id: 'statement/net-due-of-chart' },
    kind: 'line',
    isApart: false,
  },
] as const;
const CHART_COLUMN = 4;
const CHART_END_COLUMN = 8;
/** A chart of few months is as high as one of many. */
const CHART_ROWS = 15;
/** More would be cut by the end of a printed page. */
const CHARTS_A_PAGE = 2;
const ORANGE = 'C55A11';
const DARK = '404040';

/** The last months that hold business, a table and a chart a currency, the statement's as it stands above; months between them that were never synced stay empty. */
export function addHistory(
  page: Page,
  statement: SaidStatement,
  currencies: readonly string[],
  accent: Accent,
): Chart[] {
  const { history } = statement;
  // A brand of white or near it would draw bars that cannot be seen.
  const colours = [accent.text === '000000' ? '2E75B6' : accent.fill, ORANGE, DARK];
  return currencies.map((currency, at): Chart => {
    if (at % CHARTS_A_PAGE === 0) page.breakPage();
    page.band(page.say({ id: 'statement/months-of', currency }), SECTION, 20);
    const top = page.row;
    page.add([
      { value: page.say({ id: 'statement/month' }), style: HEAD },
      ...SERIES.map(({ title }) => ({ value: page.say(title), style: HEAD_RIGHT })),
    ]);
    const first = page.row + 1;
    const values: (number | null)[][] = SERIES.map(() => []);
    for (const month of history) {
      const sums = month.currencies?.find((one) => one.currency === currency);
      const stated = statement.totals.currencies.find((one) => one.currency === currency);
      const cells = SERIES.map(({ figure, name }, i): SheetCell => {
        const decimal = month.currencies === null ? null : sums ? formatAmount(sums[figure]) : '0.00';
        values[i]!.push(decimal === null ? null : exactNumber(decimal));
        if (decimal === null) return { value: null, style: LINE };
        const isAbove =
          month.period === statement.month && decimal === (stated ? formatAmount(stated[figure]) : '0.00');
        return isAbove ? derivedCell(decimal, [decimal], `${currency}_${name}`, AMOUNT) : amountCell(decimal, AMOUNT);
      });
      page.add([{ value: month.period, style: LINE }, ...cells]);
    }
    const last = page.row;
    while (page.row < top + CHART_ROWS + 1) page.gap(15);
    const series = SERIES.map(
      ({ title, kind, isApart }, i): ChartSeries => ({
        name: page.say(title),
        kind,
        isApart,
        colour: colours[i]!,
        values: {
          range: absoluteRange(page.say({ id: 'statement/summary' }), i + 1, { first, last }),
          values: values[i]!,
        },
      }),
    );
    return {
      title: page.say({ id: 'statement/chart-of', currency }),
      categories: {
        range: absoluteRange(page.say({ id: 'statement/summary' }), 0, { first, last }),
        values: history.map(({ period }) => period),
      },
      series,
      from: { column: CHART_COLUMN, row: top },
      to: { column: CHART_END_COLUMN, row: top + CHART_ROWS },
    };
  });
}

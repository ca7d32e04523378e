import { ExactDecimal, formatAmount } from '../../money/index.ts';
import type { Accent } from '../colour.ts';
import { amountCell, derivedCell } from '../workbook/amounts.ts';
import type { CellValue, SheetCell, Style } from '../workbook/model.ts';
import { exactNumber } from '../workbook/values.ts';
import type { SaidStatement } from './in-language.ts';
import { AMOUNT, HEAD, HEAD_RIGHT, LINE, SECTION } from './looks.ts';
import type { Page } from './page.ts';

const FIGURES = [
  { figure: 'cod', name: 'COD', title: { id: 'statement/cod' } },
  { figure: 'delivery_fee', name: 'DELIVERY_FEES', title: { id: 'statement/delivery-fees' } },
  { figure: 'net_due_to_merchant', name: 'NET_DUE', title: { id: 'statement/net-due-of-month' } },
] as const;
/** The column of the COD, whose months are drawn. */
const DRAWN = 1;
/** The length of the longest month's bar, in characters. */
const LONGEST = 40;

/** The last months that hold business, a table with bars a currency, the statement's as it stands above; months between them that were never synced stay empty. */
export function addHistory(page: Page, statement: SaidStatement, currencies: readonly string[], accent: Accent): void {
  // A brand of white or near it would draw bars that cannot be seen.
  const bar: Style = { ...LINE, wrap: false, indent: 1, colour: accent.text === '000000' ? '2E75B6' : accent.fill };
  const span = page.columns - 1 - FIGURES.length;
  for (const currency of currencies) {
    page.band(page.say({ id: 'statement/months-of', currency }), SECTION, 20);
    page.add([
      { value: page.say({ id: 'statement/month' }), style: HEAD },
      ...FIGURES.map(({ title }) => ({ value: page.say(title), style: HEAD_RIGHT })),
      { value: page.say({ id: 'statement/cod' }), style: { ...HEAD, align: 'left', indent: 1 }, span },
    ]);
    const bars = barsOf(page, statement, currency);
    for (const { period, currencies: known } of statement.history) {
      const sums = known?.find((one) => one.currency === currency);
      const stated = statement.totals.currencies.find((one) => one.currency === currency);
      const cells = FIGURES.map(({ figure, name }): SheetCell => {
        if (known === null) return { value: null, style: LINE };
        const decimal = sums ? formatAmount(sums[figure]) : '0.00';
        const isAbove = period === statement.month && decimal === (stated ? formatAmount(stated[figure]) : '0.00');
        return isAbove ? derivedCell(decimal, [decimal], `${currency}_${name}`, AMOUNT) : amountCell(decimal, AMOUNT);
      });
      page.add([{ value: period, style: LINE }, ...cells, { value: bars(sums?.cod ?? ZERO), style: bar, span }]);
    }
    page.gap();
  }
}

const ZERO = new ExactDecimal(0);

/** Draws the months of a currency, each on the line that is added next; none where a spreadsheet cannot hold all of their amounts. */
function barsOf(page: Page, { history }: SaidStatement, currency: string): (cod: ExactDecimal) => CellValue {
  const amounts = history.map(({ currencies }) => currencies?.find((one) => one.currency === currency)?.cod ?? ZERO);
  const most = ExactDecimal.max(ZERO, ...amounts);
  if (most.isZero() || amounts.some((amount) => exactNumber(formatAmount(amount)) === null)) return () => null;
  const all = page.cells(DRAWN, page.row, page.row + history.length).replace(/\d+/g, '$$$&');
  return (cod) => {
    const here = page.cells(DRAWN, page.row, page.row + 1).split(':')[0];
    const formula = `REPT("█",ROUND(${LONGEST}*MAX(${here},0)/MAX(${all}),0))`;
    const length = ExactDecimal.max(ZERO, cod)
      .times(LONGEST)
      .dividedBy(most)
      .toDecimalPlaces(0, ExactDecimal.ROUND_HALF_UP);
    return { formula, result: '█'.repeat(length.toNumber()) };
  };
}

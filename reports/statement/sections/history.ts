import { ExactDecimal } from '../../../src/money/decimal.ts';
import type { GridCell, Section } from '../../page.ts';
import type { Statement } from '../model.ts';
import { ZERO } from './figures.ts';

const FIGURES = [
  ['cod', 'COD', { id: 'statement/cod' }],
  ['delivery_fee', 'DELIVERY_FEES', { id: 'statement/delivery-fees' }],
  ['net_due_to_merchant', 'NET_DUE', { id: 'statement/net-due-of-month' }],
] as const;

/** The last months that hold business, a table a currency, the statement's month as it stands above; a month that was never synced is empty. */
export function historySections({ history, month, totals }: Statement, currencies: readonly string[]): Section[] {
  if (history.length === 0) return [];
  return currencies.map((currency): Section => {
    const above = totals.currencies.find((one) => one.currency === currency);
    const sumsOf = (held: (typeof history)[number]['currencies']) => held?.find((one) => one.currency === currency);
    const most = ExactDecimal.max(ZERO, ...history.map((one) => sumsOf(one.currencies)?.cod ?? ZERO));
    const rows = history.map(({ period, currencies: held }) => {
      const sums = sumsOf(held);
      const cells = FIGURES.map(([figure, name]): GridCell => {
        if (held === null) return null;
        const amount = sums?.[figure] ?? ZERO;
        const isAbove = period === month && amount.eq(above?.[figure] ?? ZERO);
        return { amount, ...(isAbove ? { live: { formula: `${currency}_${name}`, from: [amount] } } : {}) };
      });
      return { figure: period, cells: [{ text: period }, ...cells, { bar: sums?.cod ?? ZERO, most }] };
    });
    return {
      title: { id: 'statement/months-of', currency },
      parts: [
        {
          kind: 'grid',
          heads: [
            { is: 'label', title: { id: 'statement/month' } },
            ...FIGURES.map(([, , title]) => ({ is: 'amount' as const, title })),
            { is: 'bar', title: FIGURES[0][2] },
          ],
          rows,
        },
      ],
    };
  });
}

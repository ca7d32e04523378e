import type { GridCell, Section } from '../../page.ts';
import type { Statement } from '../model.ts';
import { ZERO } from './figures.ts';

const FIGURES = [
  ['cod', 'COD', { id: 'statement/cod' }],
  ['delivery_fee', 'DELIVERY_FEES', { id: 'statement/delivery-fees' }],
  ['net_due_to_merchant', 'NET_DUE', { id: 'statement/net-due-of-chart' }],
] as const;

/** The last months that hold business, a table a currency, the statement's month as it stands above; a month that was never synced is empty. */
export function historySections({ history, month, totals }: Statement, currencies: readonly string[]): Section[] {
  if (history.length === 0) return [];
  return currencies.map((currency): Section => {
    const above = totals.currencies.find((one) => one.currency === currency);
    const rows = history.map(({ period, currencies: held }) => {
      const sums = held?.find((one) => one.currency === currency);
      const cells = FIGURES.map(([figure, name]): GridCell => {
        if (held === null) return null;
        const amount = sums?.[figure] ?? ZERO;
        const isAbove = period === month && amount.eq(above?.[figure] ?? ZERO);
        return { amount, ...(isAbove ? { live: { formula: `${currency}_${name}`, from: [amount] } } : {}) };
      });
      return { figure: period, cells: [{ text: period }, ...cells] };
    });
    return {
      title: { id: 'statement/months-of', currency },
      parts: [
        {
          kind: 'grid',
          heads: [
            { is: 'label', title: { id: 'statement/month' } },
            ...FIGURES.map(([, , title]) => ({ is: 'amount' as const, title })),
          ],
          rows,
        },
      ],
    };
  });
}

import { ExactDecimal, ZERO } from '../../../src/money/decimal.ts';
import type { GridCell, Section } from '../../page.ts';
import type { HistoryMonth, Statement } from '../model.ts';

/** `dueName`: the ending of the cell's name in the section of what is due (`due.ts`), such as `USD_COD`. */
const FIGURES = [
  { figure: 'cod', dueName: 'COD', title: { id: 'statement/cod' } },
  { figure: 'delivery_fee', dueName: 'DELIVERY_FEES', title: { id: 'statement/delivery-fees' } },
  { figure: 'net_due_to_merchant', dueName: 'NET_DUE', title: { id: 'statement/net-due-of-month' } },
] as const;

/** The months from the first with an invoice, one table per currency; one that was never synced has empty cells. */
export function historySections({ history, month, totals }: Statement, currencies: readonly string[]): Section[] {
  if (history.length === 0) return [];
  return currencies.map((currency): Section => {
    const due = totals.currencies.find((total) => total.currency === currency);
    const sumsOf = (historyMonth: HistoryMonth) => historyMonth.currencies?.find((sums) => sums.currency === currency);
    const most = ExactDecimal.max(ZERO, ...history.map((historyMonth) => sumsOf(historyMonth)?.cod ?? ZERO));
    const rows = history.map((historyMonth) => {
      const { period } = historyMonth;
      const sums = sumsOf(historyMonth);
      const cells = FIGURES.map(({ figure, dueName }): GridCell => {
        if (historyMonth.currencies === null) return null;
        const amount = sums?.[figure] ?? ZERO;
        // A spreadsheet takes the amount from the section `due`, if that has the same.
        const isSameAsDue = period === month && amount.eq(due?.[figure] ?? ZERO);
        return { amount, ...(isSameAsDue ? { live: { formula: `${currency}_${dueName}`, amounts: [amount] } } : {}) };
      });
      return { figure: period, cells: [{ text: period }, ...cells, { bar: sums?.cod ?? ZERO, most }] };
    });
    return {
      title: { id: 'statement/months-of', currency },
      parts: [
        {
          kind: 'grid',
          heads: [
            { is: 'label', title: { column: 'month' } },
            ...FIGURES.map(({ title }) => ({ is: 'amount' as const, title })),
            { is: 'bar', title: FIGURES[0].title },
          ],
          rows,
        },
      ],
    };
  });
}

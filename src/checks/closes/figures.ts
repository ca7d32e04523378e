import {
  BALANCE_FIGURES,
  type ClosedMonth,
  type ClosingFigures,
  type LedgerReader,
  type MonthTotals,
  readBalances,
  type SettledAtClose,
  TOTALS_FIGURES,
} from '../../ledger/read/index.ts';
import { amountOfUnits, ExactDecimal, formatAmount } from '../../money/index.ts';
import { receivedMoney } from '../receipts/flows.ts';
import { type SettledSums, type Settlements, settledMonth } from '../receipts/settlements.ts';

/** What a close freezes: the figures, and what of each invoice was settled. */
export interface Frozen {
  readonly figures: ClosingFigures;
  readonly settled: readonly SettledAtClose[];
}

/**
 * The figures of a month as they are: what a close freezes.
 *
 * @param totals the month's own, by decimal.js or by the database
 * @param closed the closes that keep movements out of their months; all in force where absent
 */
export async function readClosingFigures(
  db: LedgerReader,
  { period, invoices, orders, currencies }: MonthTotals,
  settlements: Settlements,
  closed?: readonly ClosedMonth[],
): Promise<Frozen> {
  const sums = settledMonth(settlements, period);
  const balances = await readBalances(db, [period], receivedMoney(settlements), closed);
  const own = settlements.invoices.filter((one) => one.period === period && one.vanished_at === null);
  return {
    figures: {
      period,
      counts: { invoices, orders },
      totals: currencies.map((line) => {
        const all = { ...line, ...settledAmounts(sums.get(line.currency)) };
        return { currency: line.currency, ...textOf(TOTALS_FIGURES, (figure) => all[figure]) };
      }),
      roll_forward: balances.map((balance) => {
        const { currency } = balance;
        return { currency, ...textOf(BALANCE_FIGURES, (figure) => amountOfUnits(balance[figure])) };
      }),
    },
    settled: own.flatMap(({ number, currency, net, outstanding }) =>
      net === outstanding
        ? []
        : [{ invoice: number, currency, amount: formatAmount(amountOfUnits(net - outstanding)) }],
    ),
  };
}

const SETTLED = ['received', 'differences', 'paid_on_word', 'outstanding'] as const;

function settledAmounts(sums: SettledSums | undefined) {
  const amounts = SETTLED.map((figure) => [figure, sums ? amountOfUnits(sums[figure]) : new ExactDecimal(0)]);
  return Object.fromEntries(amounts) as Record<(typeof SETTLED)[number], ExactDecimal>;
}

function textOf<F extends string>(figures: readonly F[], of: (figure: F) => ExactDecimal): Record<F, string> {
  return Object.fromEntries(figures.map((figure) => [figure, formatAmount(of(figure))])) as Record<F, string>;
}

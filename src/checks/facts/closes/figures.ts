import {
  BALANCE_FIGURES,
  type ClosingFigures,
  type SettledAtClose,
  TOTALS_FIGURES,
} from '../../../ledger/queries/closes/figures.ts';
import type { FrozenItem } from '../../../ledger/queries/closes/items.ts';
import { linesIn, type MonthTotals } from '../../../ledger/queries/invoices/totals.ts';
import type { LedgerReader } from '../../../ledger/queries/snapshot.ts';
import type { PeriodCloseTable } from '../../../ledger/schema.ts';
import { ExactDecimal } from '../../../money/decimal.ts';
import { formatAmount } from '../../../money/format.ts';
import { amountOfUnits, formatUnits } from '../../../money/units.ts';
import { BalanceBook } from '../balances/book.ts';
import {
  isAskedOrPaid,
  type SettledSums,
  type SettlementSettings,
  type Settlements,
  settledMonth,
  settledOf,
} from '../receipts/settlements.ts';

/** What a close freezes: the figures, and what of each invoice was settled. */
export interface Frozen {
  readonly figures: ClosingFigures;
  readonly settled: readonly SettledAtClose[];
  readonly openItems: readonly FrozenItem[];
}

/**
 * The figures of a month as they are: what a close freezes.
 *
 * @param totals the month's own, summed in code or by the database
 * @param closed the closes that keep movements out of their months; all in force where absent
 */
export async function readClosingFigures(
  db: LedgerReader,
  { period, invoices, orders, currencies }: MonthTotals,
  settings: SettlementSettings,
  { settlements, closed }: { readonly settlements: Settlements; readonly closed?: readonly PeriodCloseTable[] },
): Promise<Frozen> {
  const sums = settledMonth(settlements, period);
  const book = await BalanceBook.read(db, settings, { settlements, ...(closed ? { closed } : {}) });
  const balances = await book.rollForward([period]);
  const items = await book.openItems(period);
  const own = settlements.invoices.filter((one) => one.period === period && isAskedOrPaid(one));
  return {
    figures: {
      period,
      counts: { invoices, orders },
      totals: linesIn(currencies, sums.keys()).map((line) => {
        const all = { ...line, ...settledAmounts(sums.get(line.currency)) };
        return { currency: line.currency, ...textOf(TOTALS_FIGURES, (figure) => all[figure]) };
      }),
      roll_forward: balances.map((balance) => {
        const { currency } = balance;
        return { currency, ...textOf(BALANCE_FIGURES, (figure) => amountOfUnits(balance[figure])) };
      }),
    },
    settled: own
      .filter((one) => settledOf(one) !== 0n)
      .map((one) => ({ invoice: one.number, currency: one.currency, amount: formatUnits(settledOf(one)) })),
    openItems: items.map(({ kind, id, currency, issued_on, net, received, differences, open }) => ({
      kind,
      subject: id,
      currency,
      issued_on,
      net_due_to_merchant: formatUnits(net),
      received: formatUnits(received),
      differences: formatUnits(differences),
      open: formatUnits(open),
    })),
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

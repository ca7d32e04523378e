import { BalanceBook } from '../src/checks/facts/balances/book.ts';
import {
  readSettlements,
  type SettledSums,
  settledAmounts,
  settledMonth,
} from '../src/checks/facts/receipts/settlements.ts';
import {
  type CurrencyTotals,
  emptyLine,
  linesIn,
  type MonthTotals,
  readMonthTotals,
} from '../src/ledger/queries/invoices/totals.ts';
import { formatAmount } from '../src/money/decimal.ts';
import { eachField, MONEY_FIELDS, ROW_SUM_FIELDS } from '../src/money/fields.ts';
import { ColumnTotals, columnsOf, moneyColumns } from './columns.ts';
import type { ReportContext } from './context.ts';
import { fits } from './filters.ts';
import type { Report, Row } from './model.ts';
import { basisNotes, closedMonthNotes, syncedMonths } from './notes.ts';

const STATED_FIGURES = [...MONEY_FIELDS, ...ROW_SUM_FIELDS, 'paid'] as const;
const FIGURES = [...STATED_FIGURES, 'outstanding', 'received', 'differences', 'paid_on_word'] as const;

const COLUMNS = [...columnsOf('period currency* invoices orders'), ...moneyColumns(FIGURES), ...columnsOf('basis')];

export type EmptyMonthNote = { id: 'month-without-invoices'; month: string };

/**
 * One row per month and currency, with the counts of the whole month: what the invoices' headers state, the sums of
 * their rows, what the courier marks paid, and what came in. `received`, `differences`, `paid_on_word` (what the
 * courier's Paid flag alone shows) and `outstanding` add up to the net due; `paid` goes by the status alone. All
 * `outstanding` less the unallocated receipts is what is open today.
 */
export async function totals({ db, settings, periods, period, filters = {} }: ReportContext): Promise<Report> {
  const { months, uncovered, notes } = await syncedMonths({ db, settings, periods });
  const sums = new ColumnTotals(...FIGURES);
  const settlements = await readSettlements(db, settings);
  const balances = await (await BalanceBook.read(db, settings, { settlements })).rollForward(months);
  const bases: SettledSums['basis'][] = [];
  const empty: EmptyMonthNote[] = [];
  const closed = await closedMonthNotes(db, months, { isFrozen: false, zone: settings.timeZone });
  return {
    report: 'totals',
    title: 'Totals by month and currency',
    period,
    columns: COLUMNS,
    rows: rows(),
    totals: () => sums.rows(),
    notes: () => [...basisNotes(bases), ...closed, ...notes, ...empty],
  };

  async function* rows(): AsyncGenerator<Row> {
    for (const month of months) {
      const monthTotals = await readMonthTotals(db, month);
      if (monthTotals.invoices === 0 && !uncovered.includes(month)) empty.push({ id: 'month-without-invoices', month });
      const settled = settledMonth(settlements, month);
      const balanceCurrencies = balances.filter(({ period }) => period === month).map(({ currency }) => currency);
      // A currency has a line, too, if only a receipt or a balance has it.
      for (const line of linesOf(monthTotals, [...settled.keys(), ...balanceCurrencies])) {
        const { currency } = line;
        if (!fits({ currency }, filters)) continue;
        const ofInvoices = settled.get(currency ?? '');
        const figures = { ...line, ...settledAmounts(ofInvoices) };
        if (ofInvoices) bases.push(ofInvoices.basis);
        sums.add(currency, figures);
        yield {
          period: month,
          currency,
          invoices: monthTotals.invoices,
          orders: monthTotals.orders,
          ...eachField(FIGURES, (figure) => formatAmount(figures[figure])),
          basis: currency === null ? null : (ofInvoices?.basis ?? 'courier'),
        };
      }
    }
  }
}

type Line = Omit<CurrencyTotals, 'currency'> & { currency: string | null };

/**
 * A line per currency of the invoices and of `others`. A month whose invoices name no currency at all still has a line,
 * which counts them.
 */
function linesOf({ invoices, currencies }: MonthTotals, others: readonly string[]): readonly Line[] {
  const lines = linesIn(currencies, others);
  return invoices > 0 && lines.length === 0 ? [emptyLine(null)] : lines;
}

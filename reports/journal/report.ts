import { amountOfUnits, formatAmount } from '../../src/money/index.ts';
import type { ReportContext } from '../context.ts';
import { fits } from '../filters.ts';
import type { Column, Report, Row } from '../model.ts';
import { CurrencySums } from '../sums.ts';
import { syncedMonths } from '../synced.ts';
import { buildJournal, type DeliveredBy } from './build.ts';
import type { JournalAccount, JournalTransaction } from './model.ts';

const ACCOUNTS: Readonly<Record<JournalAccount, string>> = {
  receivables: 'Receivables from customers',
  uninvoiced_cod: 'Uninvoiced COD',
  courier_receivable: 'Courier receivable',
  delivery_fees: 'Delivery fees',
  bank: 'Cash or bank',
  unallocated: 'Unallocated receipts',
  differences: 'Courier differences',
  opening: 'Opening balances',
};

const COLUMNS: readonly Column[] = [
  { name: 'date', title: 'Date', type: 'date' },
  { name: 'transaction', title: 'Transaction', type: 'id', key: true },
  { name: 'account', title: 'Account', type: 'text' },
  { name: 'currency', title: 'Currency', type: 'text', key: true },
  { name: 'debit', title: 'Debit', type: 'money' },
  { name: 'credit', title: 'Credit', type: 'money' },
  { name: 'narration', title: 'Narration', type: 'text' },
];

const ZERO = amountOfUnits(0n);

/** The months' double-entry lines: delivered, invoiced, received, seen paid. */
export function journal(context: ReportContext): Promise<Report> {
  return journalReport(context, 'order');
}

/** The same with the deliveries of a day in one transaction, which is enough on a statement. */
export function dailyJournal(context: ReportContext): Promise<Report> {
  return journalReport(context, 'day');
}

async function journalReport(
  { db, settings, periods, period, filters = {} }: ReportContext,
  deliveredBy: DeliveredBy,
): Promise<Report> {
  const { months, notes } = await syncedMonths(db, periods);
  const built = await buildJournal(db, { settings, periods: months, period, deliveredBy });
  // A transaction is of one currency: of those that are left, each balances as before.
  const transactions = built.transactions.filter(({ currency }) => fits({ currency }, filters));
  const sums = new CurrencySums('debit', 'credit');
  const rows = transactions.flatMap(({ id, date, currency, narration, lines }) =>
    lines.map(({ account, amount }): Row => {
      const [debit, credit] = [amountOfUnits(amount > 0n ? amount : 0n), amountOfUnits(amount < 0n ? -amount : 0n)];
      sums.add(currency, { debit, credit });
      return {
        date,
        transaction: id,
        account: ACCOUNTS[account],
        currency,
        debit: debit.eq(ZERO) ? null : formatAmount(debit),
        credit: credit.eq(ZERO) ? null : formatAmount(credit),
        narration,
      };
    }),
  );
  return {
    report: 'journal',
    title: 'Journal',
    period,
    columns: COLUMNS,
    rows,
    totals: () => sums.rows(),
    notes: () => [...sayReceived(transactions), ...sayAdjusted(transactions), ...notes],
  };
}

const WORD =
  'by the courier’s word, not by receipts: money counts as received on the day on which an invoice was first seen marked paid, or on the last day of its month where it was so when first seen';

/** What of a closed month is otherwise by now. */
function sayAdjusted(transactions: readonly JournalTransaction[]): string[] {
  if (!transactions.some(({ id }) => id.startsWith('ADJ-'))) return [];
  return [
    'Adjustments (ADJ) are what became otherwise in a closed month, such as receipts that take the place of the courier’s word: the closed month stays as it is, and the change is booked on the first day that was open.',
  ];
}

/** By what the lines know that money came in. */
function sayReceived(transactions: readonly JournalTransaction[]): string[] {
  const has = (letters: string) => transactions.some(({ id }) => id.startsWith(letters));
  if (!has('REC-')) return [`Received is ${WORD}.`];
  return [
    'Received (REC) is what receipts brought, on their own days; what no invoice is known for is unallocated.',
    ...(has('PAY-') ? [`For invoices that no receipts settle (PAY), received is ${WORD}.`] : []),
  ];
}

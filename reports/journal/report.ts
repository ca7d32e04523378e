import { SumRangeError } from '../../src/money/sum.ts';
import { formatUnits, type Units } from '../../src/money/units.ts';
import type { ReportContext } from '../context.ts';
import { fits } from '../filters.ts';
import type { Column, Report, Row } from '../model.ts';
import { ColumnTotals } from '../sums.ts';
import { syncedMonths } from '../synced-months.ts';
import { buildJournal, type DeliveredBy } from './build.ts';
import { type FixedAccount, isKindAccount, type JournalAccount, type JournalTransaction } from './model.ts';

/** An account; by what received is known, and what an adjustment is. */
export type JournalSentence =
  | { id: 'journal-account'; account: FixedAccount }
  | { id: 'journal-account-of-kind'; isTax: boolean; name: string }
  | { id: 'journal-by-flag' }
  | { id: 'journal-by-receipts' }
  | { id: 'journal-rest-by-flag' }
  | { id: 'journal-months-not-synced'; months: readonly string[]; bySheets: boolean; command: string }
  | { id: 'journal-adjustments' };

function accountNamed(account: JournalAccount): JournalSentence {
  if (!isKindAccount(account)) return { id: 'journal-account', account };
  const [kind, name = ''] = account.split(':');
  return { id: 'journal-account-of-kind', isTax: kind === 'tax', name };
}

const COLUMNS: readonly Column[] = [
  { name: 'date', type: 'date' },
  { name: 'transaction', type: 'id', key: true },
  { name: 'account', type: 'text' },
  { name: 'currency', type: 'text', key: true },
  { name: 'debit', type: 'money' },
  { name: 'credit', type: 'money' },
  { name: 'narration', type: 'text' },
];

/** What a line is in the base currency, where the books are kept in one. */
const BASE_COLUMNS: readonly Column[] = [
  { name: 'base_currency', type: 'text' },
  { name: 'base_debit', type: 'money' },
  { name: 'base_credit', type: 'money' },
];

/** The months' double-entry lines: delivered, invoiced, received, seen paid. */
export function journal(context: ReportContext): Promise<Report> {
  return journalReport(context, 'order');
}

/** The same with the deliveries of a day in one transaction, which is enough on a statement. */
export function dailyJournal(context: ReportContext): Promise<Report> {
  return journalReport(context, 'day');
}

async function journalReport(
  { db, settings, periods, period, filters = {}, book }: ReportContext,
  deliveredBy: DeliveredBy,
): Promise<Report> {
  // What came in and was decided in a month is booked there, whether or not its invoices were ever asked for.
  const notes = (await syncedMonths({ db, settings, periods })).notes.map((note) =>
    note.id === 'months-never-synced' ? { ...note, id: 'journal-months-not-synced' as const } : note,
  );
  const built = await buildJournal(db, { settings, periods, period, deliveredBy, book });
  // A transaction is of one currency: of those that are left, each balances as before.
  const transactions = built.transactions.filter(({ currency }) => fits({ currency }, filters));
  const sums = new ColumnTotals('debit', 'credit');
  const rows = transactions.flatMap(({ id, date, currency, narration, lines }) =>
    lines.map(({ account, amount, base = 0n }): Row => {
      addTo(sums, { period, currency, amount });
      return {
        date,
        transaction: id,
        account: accountNamed(account),
        currency,
        debit: moneyCell(amount),
        credit: moneyCell(-amount),
        narration,
        ...(built.base === null
          ? {}
          : { base_currency: built.base, base_debit: moneyCell(base), base_credit: moneyCell(-base) }),
      };
    }),
  );
  return {
    report: 'journal',
    title: 'Journal',
    period,
    columns: built.base === null ? COLUMNS : [...COLUMNS, ...BASE_COLUMNS],
    rows,
    totals: () => sums.rows(),
    notes: () => [...receivedNotes(transactions), ...adjustmentNotes(transactions), ...notes],
  };
}

/** Adds a line. One amount is booked several times, so that its journal is beyond the ledger's range before its month is. @throws SumRangeError */
function addTo(
  sums: ColumnTotals<'debit' | 'credit'>,
  { period, currency, amount }: { readonly period: string; readonly currency: string; readonly amount: Units },
): void {
  try {
    sums.add(currency, { debit: amount > 0n ? amount : 0n, credit: amount < 0n ? -amount : 0n });
  } catch (error) {
    if (!(error instanceof SumRangeError)) throw error;
    throw new SumRangeError({ month: period, currency }, `remit report orders --currency ${currency}`, {
      cause: error,
    });
  }
}

/** An amount above zero; nothing for another. */
function moneyCell(amount: Units): string | null {
  return amount > 0n ? formatUnits(amount) : null;
}

/** What later looks booked for closed months. */
function adjustmentNotes(transactions: readonly JournalTransaction[]): JournalSentence[] {
  return transactions.some(({ id }) => id.startsWith('ADJ-')) ? [{ id: 'journal-adjustments' }] : [];
}

/** Why the lines count money as paid. */
function receivedNotes(transactions: readonly JournalTransaction[]): JournalSentence[] {
  const has = (letters: string) => transactions.some(({ id }) => id.startsWith(letters));
  if (!has('REC-')) return [{ id: 'journal-by-flag' }];
  return [{ id: 'journal-by-receipts' }, ...(has('PAY-') ? [{ id: 'journal-rest-by-flag' } as const] : [])];
}

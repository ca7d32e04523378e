import { SumRangeError } from '../../src/money/sum.ts';
import { formatUnits, type Units } from '../../src/money/units.ts';
import { ColumnTotals, columnsOf } from '../columns.ts';
import type { ReportContext } from '../context.ts';
import { fits } from '../filters.ts';
import type { Report, Row } from '../model.ts';
import { syncedMonths } from '../notes.ts';
import { buildJournal } from './build.ts';
import {
  type DeliveredBy,
  type FixedAccount,
  isKindAccount,
  type JournalAccount,
  type JournalTransaction,
} from './model.ts';

export type JournalSentence =
  | { id: 'journal-account'; account: FixedAccount }
  | { id: 'journal-account-of-kind'; isTax: boolean; name: string }
  | { id: 'journal-by-flag' }
  | { id: 'journal-by-receipts' }
  | { id: 'journal-rest-by-flag' }
  | { id: 'journal-months-not-synced'; months: readonly string[]; bySheets: boolean; command: string }
  | { id: 'journal-adjustments' };

function accountSentence(account: JournalAccount): JournalSentence {
  if (!isKindAccount(account)) return { id: 'journal-account', account };
  const [kind, name = ''] = account.split(':');
  return { id: 'journal-account-of-kind', isTax: kind === 'tax', name };
}

const COLUMNS = columnsOf('date transaction* account currency* debit credit narration');

/** A line's amounts in the base currency, if the books have one. */
const BASE_COLUMNS = columnsOf('base_currency base_debit base_credit');

/**
 * The months' double-entry lines: delivered, invoiced, received, seen paid. One transaction for the deliveries of each
 * day is enough on a statement.
 */
export async function journal(
  { db, settings, periods, period, filters = {}, book }: ReportContext,
  deliveredBy: DeliveredBy = 'order',
): Promise<Report> {
  // Receipts and decisions of a month are booked even if its invoices were never fetched.
  const notes = (await syncedMonths({ db, settings, periods })).notes.map((note) =>
    note.id === 'months-never-synced' ? { ...note, id: 'journal-months-not-synced' as const } : note,
  );
  const built = await buildJournal(db, { settings, periods, period, deliveredBy, book });
  // A transaction has one currency, so that those that are left still balance.
  const transactions = built.transactions.filter(({ currency }) => fits({ currency }, filters));
  const sums = new ColumnTotals('debit', 'credit');
  const rows = transactions.flatMap(({ id, date, currency, narration, lines }) =>
    lines.map(({ account, amount, base = 0n }): Row => {
      addTo(sums, { period, currency, amount });
      return {
        date,
        transaction: id,
        account: accountSentence(account),
        currency,
        debit: moneyCell(amount),
        credit: moneyCell(-amount),
        narration,
        ...baseCells(built.base, base),
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

/**
 * Adds a line.
 *
 * @throws SumRangeError that names the report of orders: the journal books an amount several times, so that its sums
 *   are out of range before those of other reports
 */
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

/** A line's cells in the base currency; none in books without one. */
function baseCells(baseCurrency: string | null, base: Units): Row {
  if (baseCurrency === null) return {};
  return { base_currency: baseCurrency, base_debit: moneyCell(base), base_credit: moneyCell(-base) };
}

/** An amount above zero; null for zero and below. */
function moneyCell(amount: Units): string | null {
  return amount > 0n ? formatUnits(amount) : null;
}

function adjustmentNotes(transactions: readonly JournalTransaction[]): JournalSentence[] {
  return transactions.some(({ id }) => id.startsWith('ADJ-')) ? [{ id: 'journal-adjustments' }] : [];
}

/** Whether payments are booked by receipts, by the Paid flag, or by both. */
function receivedNotes(transactions: readonly JournalTransaction[]): JournalSentence[] {
  const has = (prefix: string) => transactions.some(({ id }) => id.startsWith(prefix));
  if (!has('REC-')) return [{ id: 'journal-by-flag' }];
  return [{ id: 'journal-by-receipts' }, ...(has('PAY-') ? [{ id: 'journal-rest-by-flag' } as const] : [])];
}

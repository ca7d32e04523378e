import { createHash } from 'node:crypto';
import type { Journal, JournalTransaction } from '../../../reports/journal/model.ts';
import type { Units } from '../../money/units.ts';
import { csvLines, safeText } from '../csv.ts';
import { accountIn, type JournalSettings } from './settings.ts';
import { decimalText, narrationText, referenceList, unsignedText } from './texts.ts';

/** A cell: text from outside, guarded against formulas, or a figure, written as it is. */
type Cell = { readonly text: string } | { readonly figure: string };

/** The CSV that one accounting program imports. */
export interface RowFormat {
  readonly columns: readonly string[];
  readonly rowsOf: (transaction: JournalTransaction, settings: JournalSettings) => readonly (readonly Cell[])[];
}

/** A format with one currency in a file. */
interface LimitedFormat extends RowFormat {
  /** The most lines of a file, without its header. */
  readonly most: number;
}

/** QuickBooks' longest journal number. */
const LONGEST_NUMBER = 21;
/** How many digits of its hash are at the end of an id that was too long. */
const HASH_DIGITS = 12;

const text = (value: string): Cell => ({ text: value });
const figure = (value: string): Cell => ({ figure: value });

/** Transactions as CSV, one at a time. */
export function* rowText(
  format: RowFormat,
  transactions: Iterable<JournalTransaction>,
  settings: JournalSettings,
): Generator<string> {
  yield csvLines([format.columns]);
  for (const transaction of transactions) yield csvLines(format.rowsOf(transaction, settings).map(rowTexts));
}

function rowTexts(row: readonly Cell[]): string[] {
  return row.map((cell) => ('text' in cell ? safeText(cell.text) : cell.figure));
}

/** Remit's own CSV: a row for each line in any currency, with the base currency's columns if there is one. */
export function csvRows(base: string | null): RowFormat {
  if (base === null) return CSV_ROWS;
  return {
    ...CSV_ROWS,
    columns: [...CSV_ROWS.columns, 'base_currency', 'base_debit', 'base_credit'],
    rowsOf: (transaction, settings) =>
      CSV_ROWS.rowsOf(transaction, settings).map((row, line) => {
        return [...row, text(base), ...debitAndCredit(transaction.lines[line]!.base ?? 0n)];
      }),
  };
}

/** An amount in two cells, of which one is empty: positive is debit. */
function debitAndCredit(amount: Units): Cell[] {
  const debit = amount > 0n ? decimalText(amount) : '';
  const credit = amount < 0n ? unsignedText(amount) : '';
  return [figure(debit), figure(credit)];
}

const CSV_ROWS: RowFormat = {
  columns: ['transaction', 'date', 'account', 'currency', 'debit', 'credit', 'narration', 'references'],
  rowsOf: (transaction, settings) =>
    transaction.lines.map(({ account, amount }) => [
      text(transaction.id),
      figure(transaction.date),
      text(accountIn(settings, account)),
      text(transaction.currency),
      ...debitAndCredit(amount),
      text(narrationText(transaction)),
      text(sayReferences(transaction)),
    ]),
};

/** Xero's columns that are left blank. */
const TRACKING = ['TrackingName1', 'TrackingOption1', 'TrackingName2', 'TrackingOption2'] as const;

/** Xero's manual journal: rows of one narration and date are one journal; positive is debit. */
export const XERO_ROWS: LimitedFormat = {
  columns: ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount', ...TRACKING],
  most: 300,
  rowsOf: (transaction, settings) =>
    transaction.lines.map(({ account, amount }) => [
      text(`${transaction.id} ${narrationText(transaction)}`),
      // `2026-10-31` → `31/10/2026`
      figure(transaction.date.split('-').reverse().join('/')),
      text(sayReferences(transaction)),
      text(accountIn(settings, account)),
      text(settings.tax_rate),
      figure(decimalText(amount)),
      ...TRACKING.map(() => figure('')),
    ]),
};

/** QuickBooks' journal entries: rows of one number are one entry; the unused side is left blank. */
export const QUICKBOOKS_ROWS: LimitedFormat = {
  columns: ['Journal No.', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits', 'Name'],
  most: 1_000,
  rowsOf: (transaction, settings) =>
    transaction.lines.map(({ account, amount }) => [
      text(journalNumber(transaction.id)),
      figure(transaction.date),
      text(accountIn(settings, account)),
      text([narrationText(transaction), sayReferences(transaction)].filter(Boolean).join('; ')),
      ...debitAndCredit(amount),
      text(settings.name),
    ]),
};

/** A journal number for QuickBooks: the id; if it is too long, its beginning and part of its hash, always the same. */
function journalNumber(id: string): string {
  if (id.length <= LONGEST_NUMBER) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, HASH_DIGITS);
  return `${id.slice(0, LONGEST_NUMBER - hash.length - 1)}-${hash}`;
}

function sayReferences({ references }: JournalTransaction): string {
  return referenceList(references)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/** Divides transactions into files of one currency and at most `most` lines; a transaction is never split. */
export function dividedIntoFiles(
  journal: Journal,
  most: number,
): { readonly currency: string; readonly number: number; readonly transactions: readonly JournalTransaction[] }[] {
  const files: { currency: string; number: number; lines: number; transactions: JournalTransaction[] }[] = [];
  const lastOfCurrency = new Map<string, (typeof files)[number]>();
  for (const transaction of journal.transactions) {
    const { currency, lines } = transaction;
    let file = lastOfCurrency.get(currency);
    if (!file || file.lines + lines.length > most) {
      file = { currency, number: (file?.number ?? 0) + 1, lines: 0, transactions: [] };
      lastOfCurrency.set(currency, file);
      files.push(file);
    }
    file.transactions.push(transaction);
    file.lines += lines.length;
  }
  return files.sort((a, b) => {
    if (a.currency === b.currency) return a.number - b.number;
    return a.currency < b.currency ? -1 : 1;
  });
}

import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { accountsOf, type Journal, type JournalTransaction } from '../../../reports/journal/model.ts';
import { formatUnits, type Units } from '../../money/units.ts';
import { csvLines, safeText } from '../csv.ts';
import type { JournalFormat } from '../formats.ts';
import { accountIn, type JournalSettings, refuseShared } from './settings.ts';
import {
  beancountText,
  hledgerText,
  inBaseAlone,
  type LedgerFileOptions,
  narrationText,
  referenceList,
} from './texts.ts';

export interface JournalFile {
  /** Goes before the extension of the requested name, and after a courier's `-NAME`: `-USD-1`, or an empty text. */
  readonly suffix: string;
  /** The currency of its lines; null if it has all. */
  readonly currency: string | null;
  /** The text, made anew each time it is read. */
  readonly pieces: Iterable<string>;
}

/**
 * A journal as the files of one format: one for hledger, beancount and CSV; for Xero and QuickBooks one a currency, or
 * one in the base currency if there is one, and more beyond their limit of lines. An empty journal is one file.
 *
 * @param options for hledger and beancount
 */
export function journalFiles(
  journal: Journal,
  format: JournalFormat,
  settings: JournalSettings,
  options: LedgerFileOptions = { standsAlone: false },
): JournalFile[] {
  const { base, transactions } = journal;
  refuseShared(settings, accountsOf([...journal.opening, ...transactions.flatMap(({ lines }) => lines)]));
  if (format === 'hledger') return [fileOf(() => hledgerText(journal, settings, options))];
  if (format === 'beancount') return [fileOf(() => beancountText(journal, settings, options))];
  if (format === 'csv') return [fileOf(() => rowText(csvRows(base), transactions, settings))];
  const rows = { xero: XERO_ROWS, quickbooks: QUICKBOOKS_ROWS }[format];
  const files = dividedIntoFiles(inBaseAlone(journal), rows.mostLines);
  if (files.length === 0) return [fileOf(() => rowText(rows, [], settings))];
  return files.map((file) => ({
    ...fileOf(() => rowText(rows, file.transactions, settings)),
    suffix: files.length === 1 ? '' : `-${file.currency}-${file.number}`,
    currency: file.currency,
  }));
}

function fileOf(text: () => Iterator<string>): JournalFile {
  return { suffix: '', currency: null, pieces: { [Symbol.iterator]: text } };
}

/** The name of a journal's file, from the requested one: `journal.csv` → `journal-USD-1.csv`. */
export function journalFileName(out: string, { suffix }: Pick<JournalFile, 'suffix'>): string {
  const extension = extname(out);
  return `${out.slice(0, out.length - extension.length)}${suffix}${extension}`;
}

/** The CSV that one accounting program imports. */
interface RowFormat {
  readonly columns: readonly string[];
  /** Text from outside in a row is guarded against formulas; figures are written as they are. */
  readonly rowsOf: (transaction: JournalTransaction, settings: JournalSettings) => readonly (readonly string[])[];
}

/** A format with one currency in a file. */
interface LimitedFormat extends RowFormat {
  /** The most lines of a file, without its header. */
  readonly mostLines: number;
}

const LONGEST_QUICKBOOKS_NUMBER = 21;
/** How many digits of its hash are at the end of an id that was too long. */
const HASH_DIGITS = 12;

function* rowText(
  format: RowFormat,
  transactions: Iterable<JournalTransaction>,
  settings: JournalSettings,
): Generator<string> {
  yield csvLines([format.columns]);
  for (const transaction of transactions) yield csvLines(format.rowsOf(transaction, settings));
}

/** Remit's own CSV: a row for each line in any currency, with the base currency's columns if there is one. */
function csvRows(base: string | null): RowFormat {
  if (base === null) return CSV_ROWS;
  return {
    ...CSV_ROWS,
    columns: [...CSV_ROWS.columns, 'base_currency', 'base_debit', 'base_credit'],
    rowsOf: (transaction, settings) =>
      CSV_ROWS.rowsOf(transaction, settings).map((row, line) => {
        return [...row, safeText(base), ...debitAndCredit(transaction.lines[line]!.base ?? 0n)];
      }),
  };
}

/** An amount in two cells, of which one is empty: positive is debit. */
function debitAndCredit(amount: Units): [debit: string, credit: string] {
  return [amount > 0n ? formatUnits(amount) : '', amount < 0n ? formatUnits(-amount) : ''];
}

const CSV_ROWS: RowFormat = {
  columns: ['transaction', 'date', 'account', 'currency', 'debit', 'credit', 'narration', 'references'],
  rowsOf: (transaction, settings) =>
    transaction.lines.map(({ account, amount }) => [
      safeText(transaction.id),
      transaction.date,
      safeText(accountIn(settings, account)),
      safeText(transaction.currency),
      ...debitAndCredit(amount),
      safeText(narrationText(transaction)),
      safeText(sayReferences(transaction)),
    ]),
};

/** Xero's columns that are left blank. */
const TRACKING = ['TrackingName1', 'TrackingOption1', 'TrackingName2', 'TrackingOption2'] as const;

/** Xero's manual journal: rows of one narration and date are one journal; positive is debit. */
const XERO_ROWS: LimitedFormat = {
  columns: ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount', ...TRACKING],
  mostLines: 300,
  rowsOf: (transaction, settings) =>
    transaction.lines.map(({ account, amount }) => [
      safeText(`${transaction.id} ${narrationText(transaction)}`),
      // `2026-10-31` → `31/10/2026`
      transaction.date.split('-').reverse().join('/'),
      safeText(sayReferences(transaction)),
      safeText(accountIn(settings, account)),
      safeText(settings.tax_rate),
      formatUnits(amount),
      ...TRACKING.map(() => ''),
    ]),
};

/** QuickBooks' journal entries: rows of one number are one entry; the unused side is left blank. */
const QUICKBOOKS_ROWS: LimitedFormat = {
  columns: ['Journal No.', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits', 'Name'],
  mostLines: 1_000,
  rowsOf: (transaction, settings) =>
    transaction.lines.map(({ account, amount }) => [
      safeText(journalNumber(transaction.id)),
      transaction.date,
      safeText(accountIn(settings, account)),
      safeText([narrationText(transaction), sayReferences(transaction)].filter(Boolean).join('; ')),
      ...debitAndCredit(amount),
      safeText(settings.name),
    ]),
};

/** A journal number for QuickBooks: the id; if it is too long, its beginning and part of its hash, always the same. */
function journalNumber(id: string): string {
  if (id.length <= LONGEST_QUICKBOOKS_NUMBER) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, HASH_DIGITS);
  return `${id.slice(0, LONGEST_QUICKBOOKS_NUMBER - hash.length - 1)}-${hash}`;
}

function sayReferences({ references }: JournalTransaction): string {
  return referenceList(references)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/** Divides transactions into files of one currency and at most `mostLines` lines; a transaction is never split. */
function dividedIntoFiles(journal: Journal, mostLines: number) {
  const files: { currency: string; number: number; lines: number; transactions: JournalTransaction[] }[] = [];
  const lastOfCurrency = new Map<string, (typeof files)[number]>();
  for (const transaction of journal.transactions) {
    const { currency, lines } = transaction;
    let file = lastOfCurrency.get(currency);
    if (!file || file.lines + lines.length > mostLines) {
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

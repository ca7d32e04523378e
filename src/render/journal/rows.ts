import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import type { Journal, JournalTransaction } from '../../../reports/journal/model.ts';
import { safeText } from '../csv.ts';
import { accountIn, type JournalSettings } from './settings.ts';
import { amountText, narrationText, referenceList, unsignedText } from './texts.ts';

/** A cell: text from outside, guarded against formulas, or a figure, written as it is. */
type Cell = { readonly text: string } | { readonly figure: string };

/** A journal as one program imports it: rows of CSV. */
export interface RowFormat {
  readonly columns: readonly string[];
  readonly rowsOf: (transaction: JournalTransaction, settings: JournalSettings) => readonly (readonly Cell[])[];
}

/** One that takes a currency a file. */
interface LimitedFormat extends RowFormat {
  /** The most lines of a file, without its header. */
  readonly most: number;
}

/** QuickBooks' longest journal number. */
const LONGEST_NUMBER = 21;

const text = (value: string): Cell => ({ text: value });
const figure = (value: string): Cell => ({ figure: value });

/** Rows of a journal as CSV, a transaction at a time. */
export function* rowText(
  format: RowFormat,
  transactions: Iterable<JournalTransaction>,
  settings: JournalSettings,
): Generator<string> {
  yield csvLines([format.columns.map(figure)]);
  for (const one of transactions) yield csvLines(format.rowsOf(one, settings));
}

function csvLines(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) => row.map((cell) => ('text' in cell ? safeText(cell.text) : cell.figure)));
  return stringify(cells, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ });
}

/** Our own CSV: all currencies, a line a row, and the base currency's columns where there is one. */
export function csvRows(base: string | null): RowFormat {
  if (base === null) return CSV_ROWS;
  return {
    ...CSV_ROWS,
    columns: [...CSV_ROWS.columns, 'base_currency', 'base_debit', 'base_credit'],
    rowsOf: (one, settings) =>
      CSV_ROWS.rowsOf(one, settings).map((row, at) => {
        const { base: amount = 0n } = one.lines[at]!;
        const debit = figure(amount > 0n ? amountText(amount) : '');
        return [...row, text(base), debit, figure(amount < 0n ? unsignedText(amount) : '')];
      }),
  };
}

const CSV_ROWS: RowFormat = {
  columns: ['transaction', 'date', 'account', 'currency', 'debit', 'credit', 'narration', 'references'],
  rowsOf: (one, settings) =>
    one.lines.map(({ account, amount }) => [
      text(one.id),
      figure(one.date),
      text(accountIn(settings, account)),
      text(one.currency),
      figure(amount > 0n ? amountText(amount) : ''),
      figure(amount < 0n ? unsignedText(amount) : ''),
      text(narrationText(one)),
      text(sayReferences(one)),
    ]),
};

/** Xero's manual journal: rows of one narration and date are one journal; positive is debit. */
export const XERO_ROWS: LimitedFormat = {
  columns: [
    '*Narration',
    '*Date',
    'Description',
    '*AccountCode',
    '*TaxRate',
    '*Amount',
    'TrackingName1',
    'TrackingOption1',
    'TrackingName2',
    'TrackingOption2',
  ],
  most: 300,
  rowsOf: (one, settings) =>
    one.lines.map(({ account, amount }) => [
      text(`${one.id} ${narrationText(one)}`),
      figure(one.date.split('-').reverse().join('/')),
      text(sayReferences(one)),
      text(accountIn(settings, account)),
      text(settings.tax_rate),
      figure(amountText(amount)),
      ...Array.from({ length: 4 }, () => figure('')),
    ]),
};

/** QuickBooks' journal entries: rows of one number are one entry; the unused side is left blank. */
export const QUICKBOOKS_ROWS: LimitedFormat = {
  columns: ['Journal No.', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits', 'Name'],
  most: 1_000,
  rowsOf: (one, settings) =>
    one.lines.map(({ account, amount }) => [
      text(journalNumber(one.id)),
      figure(one.date),
      text(accountIn(settings, account)),
      text([narrationText(one), sayReferences(one)].filter(Boolean).join('; ')),
      figure(amount > 0n ? amountText(amount) : ''),
      figure(amount < 0n ? unsignedText(amount) : ''),
      text(settings.name),
    ]),
};

/** The id; one too long for QuickBooks ends in part of its hash, so that it is the same in every export. */
function journalNumber(id: string): string {
  if (id.length <= LONGEST_NUMBER) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 12);
  return `${id.slice(0, LONGEST_NUMBER - hash.length - 1)}-${hash}`;
}

function sayReferences({ references }: JournalTransaction): string {
  return referenceList(references)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
}

/** Divides transactions into files of one currency and at most `most` lines; a transaction is never split. */
export function filesOf(
  journal: Journal,
  most: number,
): { readonly currency: string; readonly number: number; readonly transactions: readonly JournalTransaction[] }[] {
  const files: { currency: string; number: number; lines: number; transactions: JournalTransaction[] }[] = [];
  const open = new Map<string, (typeof files)[number]>();
  for (const one of journal.transactions) {
    let file = open.get(one.currency);
    if (!file || file.lines + one.lines.length > most) {
      file = { currency: one.currency, number: (file?.number ?? 0) + 1, lines: 0, transactions: [] };
      open.set(one.currency, file);
      files.push(file);
    }
    file.transactions.push(one);
    file.lines += one.lines.length;
  }
  return files.sort((a, b) => (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : a.number - b.number));
}

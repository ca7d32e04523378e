import { extname } from 'node:path';
import type { Journal } from '../../../reports/journal/model.ts';
import type { JournalFormat } from '../formats.ts';
import { csvRows, dividedIntoFiles, QUICKBOOKS_ROWS, rowText, XERO_ROWS } from './rows.ts';
import type { JournalSettings } from './settings.ts';
import { beancountText, hledgerText, inBaseAlone, type LedgerFileOptions } from './texts.ts';

export interface JournalFile {
  /** Goes before the extension of the requested name: `-USD-1`, or an empty text. */
  readonly suffix: string;
  /** The currency of its lines; null if it has all. */
  readonly currency: string | null;
  /** The text, made anew each time it is read. */
  readonly pieces: Iterable<string>;
}

/**
 * A journal as the files of one format: one for hledger, beancount and CSV; for Xero and QuickBooks one a currency, or
 * one in the base currency if there is one, and more beyond their limit of lines. An empty journal is one file.
 */
export function journalFiles(
  journal: Journal,
  format: JournalFormat,
  settings: JournalSettings,
  options: LedgerFileOptions = { standsAlone: false },
): JournalFile[] {
  const { base, transactions } = journal;
  if (format === 'hledger') return [fileOf(() => hledgerText(journal, settings, options))];
  if (format === 'beancount') return [fileOf(() => beancountText(journal, settings, options))];
  if (format === 'csv') return [fileOf(() => rowText(csvRows(base), transactions, settings))];
  const rows = { xero: XERO_ROWS, quickbooks: QUICKBOOKS_ROWS }[format];
  const files = dividedIntoFiles(inBaseAlone(journal), rows.most);
  if (files.length === 0) return [fileOf(() => rowText(rows, [], settings))];
  return files.map((file) => ({
    ...fileOf(() => rowText(rows, file.transactions, settings)),
    suffix: files.length === 1 ? '' : `-${file.currency}-${file.number}`,
    currency: file.currency,
  }));
}

/** A file with everything. */
function fileOf(text: () => Iterator<string>): JournalFile {
  return { suffix: '', currency: null, pieces: { [Symbol.iterator]: text } };
}

/** The name of a journal's file, from the requested one: `journal.csv` → `journal-USD-1.csv`. */
export function journalFileName(out: string, { suffix }: Pick<JournalFile, 'suffix'>): string {
  const extension = extname(out);
  return `${out.slice(0, out.length - extension.length)}${suffix}${extension}`;
}

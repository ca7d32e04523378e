import { extname } from 'node:path';
import type { Journal } from '../../../reports/journal/model.ts';
import { beancountText } from './beancount.ts';
import { hledgerText, type LedgerFileOptions } from './hledger.ts';
import { CSV_ROWS, filesOf, QUICKBOOKS_ROWS, type RowFormat, rowText, XERO_ROWS } from './rows.ts';
import type { JournalFormat, JournalSettings } from './settings.ts';

export { JOURNAL_FORMATS, type JournalFormat, type JournalSettings, journalSettings } from './settings.ts';

/** One file of a journal. */
export interface JournalFile {
  /** What comes before the extension of the name that was asked for: empty, or `-USD-1`. */
  readonly suffix: string;
  /** The currency that it holds; null where it holds all. */
  readonly currency: string | null;
  /** The text, made while it is read, as often as it is. */
  readonly pieces: Iterable<string>;
}

const ROWS: Readonly<Partial<Record<JournalFormat, RowFormat>>> = {
  csv: CSV_ROWS,
  xero: XERO_ROWS,
  quickbooks: QUICKBOOKS_ROWS,
};

/**
 * A journal as the files of one format. hledger, beancount and CSV take one file; Xero and QuickBooks one a currency,
 * and several where one would pass their limit of lines. A journal without transactions is one file with its heading.
 */
export function journalFiles(
  journal: Journal,
  format: JournalFormat,
  settings: JournalSettings,
  options: LedgerFileOptions = { opening: true },
): JournalFile[] {
  const rows = ROWS[format];
  if (!rows) {
    const text = format === 'hledger' ? hledgerText : beancountText;
    return [{ suffix: '', currency: null, pieces: again(() => text(journal, settings, options)) }];
  }
  if (rows.most === null)
    return [{ suffix: '', currency: null, pieces: again(() => rowText(rows, journal.transactions, settings)) }];
  const files = filesOf(journal, rows.most);
  if (files.length === 0) return [{ suffix: '', currency: null, pieces: again(() => rowText(rows, [], settings)) }];
  return files.map(({ currency, number, transactions }) => ({
    suffix: files.length === 1 ? '' : `-${currency}-${number}`,
    currency,
    pieces: again(() => rowText(rows, transactions, settings)),
  }));
}

function again(make: () => Iterator<string>): Iterable<string> {
  return { [Symbol.iterator]: make };
}

/** Where a file of a journal stands beside the name that was asked for: `journal.csv` → `journal-USD-1.csv`. */
export function journalFileName(out: string, { suffix }: Pick<JournalFile, 'suffix'>): string {
  const extension = extname(out);
  return `${out.slice(0, out.length - extension.length)}${suffix}${extension}`;
}

import { buildJournal } from '../../reports/journal/build.ts';
import { requireSynced, usingSnapshot } from '../ledger/read/index.ts';
import { type JournalFile, type JournalFormat, journalFiles, journalSettings } from '../render/journal/index.ts';
import { usingBooksAsOf } from './as-of.ts';
import type { Books } from './books.ts';
import { monthsOf } from './months.ts';

export interface JournalRequest {
  /** The months, in order; null for every month that the ledger holds. */
  readonly periods: readonly string[] | null;
  readonly format: JournalFormat;
  /** The ledger as it was then; null for as it is. */
  readonly asOf: Date | null;
}

/** Formats of programs that take few lines: deliveries are one transaction a day there. */
const BY_DAY: readonly JournalFormat[] = ['xero', 'quickbooks'];

/**
 * Makes the files of a period's journal, in one format.
 *
 * @throws ConfigError naming what is wrong in `[journal]`; LedgerError when no month of the period was ever synced
 */
export async function journalOfBooks(
  books: Books,
  { periods: asked, format, asOf }: JournalRequest,
): Promise<JournalFile[]> {
  const settings = journalSettings(books.config.journal, format);
  return usingBooksAsOf(books, asOf, { readOnly: true }, async (ledger, then) => {
    const { periods } = await monthsOf(ledger, asked);
    return usingSnapshot(ledger, async (db) => {
      const { synced } = await requireSynced(db, periods);
      const deliveredBy = BY_DAY.includes(format) ? 'day' : 'order';
      const period = synced.length === 1 ? synced[0]! : `${synced[0]}..${synced.at(-1)}`;
      return journalFiles(
        await buildJournal(db, { settings: then.config, periods: synced, period, deliveredBy }),
        format,
        settings,
      );
    });
  });
}

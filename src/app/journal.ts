import { buildJournal } from '../../reports/journal/build.ts';
import { type LedgerReader, requireSynced, usingSnapshot } from '../ledger/queries/index.ts';
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
export function journalOfBooks(books: Books, request: JournalRequest): Promise<JournalFile[]> {
  return usingBooksAsOf(books, request.asOf, { readOnly: true }, (ledger, then) =>
    usingSnapshot(ledger, async (db) => {
      const { periods } = await monthsOf({ db, name: ledger.name }, request.periods);
      return journalOf(db, then, { periods, format: request.format });
    }),
  );
}

/** The same of months of a snapshot. */
export async function journalOf(
  db: LedgerReader,
  { config }: Pick<Books, 'config'>,
  { periods, format }: { readonly periods: readonly string[]; readonly format: JournalFormat },
): Promise<JournalFile[]> {
  const settings = journalSettings(config.journal, format);
  await requireSynced(db, periods);
  const deliveredBy = BY_DAY.includes(format) ? 'day' : 'order';
  const period = periods.length === 1 ? periods[0]! : `${periods[0]}..${periods.at(-1)}`;
  const journal = await buildJournal(db, { settings: config, periods, period, deliveredBy });
  return journalFiles(journal, format, settings);
}

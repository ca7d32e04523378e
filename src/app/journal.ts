import { buildJournal } from '../../reports/journal/build.ts';
import type { MatchSettings } from '../checks/facts/receipts/match-books.ts';
import type { Config } from '../config/index.ts';
import { ofCourier } from '../ledger/index.ts';
import { type LedgerReader, requireSynced, usingSnapshot } from '../ledger/queries/index.ts';
import { type JournalFile, type JournalFormat, journalFiles, journalSettings } from '../render/journal/index.ts';
import { usingBooksAsOf } from './as-of.ts';
import type { Books } from './books.ts';
import { type Courier, couriersWithMonths } from './couriers.ts';
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
 * Makes the files of a period's journal, in one format. Of several couriers each has files of its own, as every program that reads them has
 * one set of balances a file; their transactions bear its name, because two couriers may use one number.
 *
 * @throws ConfigError naming what is wrong in `[journal]`; LedgerError when no month of the period was ever synced
 */
export function journalOfBooks(books: Books, request: JournalRequest): Promise<JournalFile[]> {
  return usingBooksAsOf(books, request.asOf, { readOnly: true, allCouriers: true }, async (ledger, { config }) => {
    const { couriers, lacking } = await couriersWithMonths(ledger, config, request.periods);
    for (const { courier, error } of lacking) {
      books.note?.(`${courier}: ${error.message}, so there is no journal of it`);
    }
    return usingSnapshot(ledger, async (whole) => {
      const files: JournalFile[] = [];
      for (const courier of couriers) {
        const db = ofCourier(whole, courier.key);
        const { periods } = await monthsOf({ db, name: ledger.name }, request.periods);
        files.push(...(await journalOfCourier(db, courier, { periods, format: request.format })));
      }
      return files;
    });
  });
}

/** The same of months of one courier, in a snapshot of its rows. */
export async function journalOfCourier(
  db: LedgerReader,
  { name: courier, config }: Pick<Courier<Config>, 'name' | 'config'>,
  { periods, format }: { readonly periods: readonly string[]; readonly format: JournalFormat },
): Promise<JournalFile[]> {
  const settings = journalSettings(config.journal, format);
  await requireSynced(db, periods);
  const deliveredBy = BY_DAY.includes(format) ? 'day' : 'order';
  const period = periods.length === 1 ? periods[0]! : `${periods[0]}..${periods.at(-1)}`;
  const journal = await buildJournal(db, { settings: config, periods, period, deliveredBy });
  const { others }: MatchSettings = config;
  if (others === undefined) return journalFiles(journal, format, settings);
  const named = {
    ...journal,
    transactions: journal.transactions.map((one) => ({ ...one, id: `${courier}-${one.id}` })),
  };
  return journalFiles(named, format, settings).map((file) => ({ ...file, suffix: `-${courier}${file.suffix}` }));
}

import { buildJournal } from '../../reports/journal/build.ts';
import { FeeBook } from '../../reports/journal/charges.ts';
import { JOURNAL_ACCOUNTS, type JournalAccount } from '../../reports/journal/model.ts';
import { inNumberTexts } from '../base/number-texts.ts';
import { readMonths, requireMonths } from '../checks/facts/months.ts';
import type { MatchSettings } from '../checks/facts/receipts/match-books.ts';
import type { Config } from '../config/index.ts';
import { ofCourier } from '../ledger/index.ts';
import { readNumberTexts } from '../ledger/queries/invoices/settlements.ts';
import { type LedgerReader, usingSnapshot } from '../ledger/queries/snapshot.ts';
import type { JournalFormat } from '../render/formats.ts';
import { type JournalFile, journalFiles } from '../render/journal/index.ts';
import { journalSettings } from '../render/journal/settings.ts';
import type { LedgerFileOptions } from '../render/journal/texts.ts';
import { usingBooksAsOf } from './as-of.ts';
import type { Books } from './books.ts';
import { type Courier, couriersOf, couriersWithMonths } from './couriers.ts';
import { monthsOf } from './months.ts';

export interface JournalRequest {
  /** The months, in order; null for every month that the ledger holds. */
  readonly periods: readonly string[] | null;
  readonly format: JournalFormat;
  /** The ledger as it was then; null for as it is. */
  readonly asOf: Date | null;
  /** Whether a file for hledger or beancount stands alone: with its opening balances, and what asserts the closing ones. */
  readonly opening: boolean;
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
      const { format, opening } = request;
      const firstUsed = format === 'beancount' && !opening ? await readFirstUsed(whole, config) : [];
      for (const courier of couriers) {
        const db = ofCourier(whole, courier.key);
        const { periods } = await monthsOf({ db, name: ledger.name }, courier.config, request.periods);
        const opens = firstUsed.flatMap(({ account, key, month }) =>
          key === courier.key && periods.includes(month) ? [account] : [],
        );
        files.push(...(await journalOfCourier(db, courier, { periods, format, opening, opens })));
      }
      return files;
    });
  });
}

/** The same of months of one courier, in a snapshot of its rows. */
export async function journalOfCourier(
  db: LedgerReader,
  { name: courier, config }: Pick<Courier<Config>, 'name' | 'config'>,
  {
    periods,
    format,
    ...options
  }: { readonly periods: readonly string[]; readonly format: JournalFormat } & LedgerFileOptions,
): Promise<JournalFile[]> {
  const settings = journalSettings(config.journal, format);
  await requireMonths(db, config, periods);
  const deliveredBy = BY_DAY.includes(format) ? 'day' : 'order';
  const period = periods.length === 1 ? periods[0]! : `${periods[0]}..${periods.at(-1)}`;
  const built = await buildJournal(db, { settings: config, periods, period, deliveredBy });
  const texts = await readNumberTexts(db);
  // The id of a transaction stays what it is: a program that has it already must not book it again.
  const transactions = built.transactions.map(({ narration, references, ...one }) => ({
    ...one,
    narration: inNumberTexts(narration, texts),
    references: inNumberTexts(references, texts),
  }));
  const journal = { ...built, transactions };
  const { others }: MatchSettings = config;
  if (others === undefined) return journalFiles(journal, format, settings, options);
  const named = {
    ...journal,
    transactions: journal.transactions.map((one) => ({ ...one, id: `${courier}-${one.id}` })),
  };
  return journalFiles(named, format, settings, options).map((file) => ({
    ...file,
    suffix: `-${courier}${file.suffix}`,
  }));
}

/** An account, and the courier and month in whose file the books first use it. */
interface FirstUse {
  readonly account: JournalAccount;
  readonly key: string;
  readonly month: string;
}

/**
 * Where the books first use each account: those that are always there in their first month, that of a kind of charge in the month of the
 * first invoice that has it. Of several couriers, whichever `--courier` names, it is the first by its key, which no rename changes.
 */
async function readFirstUsed(db: LedgerReader, config: Config): Promise<FirstUse[]> {
  const first = new Map<JournalAccount, FirstUse>();
  const use = (one: FirstUse) => {
    if (one.month < (first.get(one.account)?.month ?? '9999-12')) first.set(one.account, one);
  };
  const couriers = await couriersOf(db, { ...config, courier: null });
  for (const { key, config: theirs } of couriers.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const courierRows = ofCourier(db, key);
    const [month] = await readMonths(courierRows, theirs);
    if (month !== undefined) for (const account of JOURNAL_ACCOUNTS) use({ account, key, month });
    for (const one of await FeeBook.kinds(courierRows)) use({ ...one, key });
  }
  return [...first.values()];
}

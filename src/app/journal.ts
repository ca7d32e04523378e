import { buildJournal } from '../../reports/journal/build.ts';
import { accountOfKind } from '../../reports/journal/charges.ts';
import { JOURNAL_ACCOUNTS, type JournalAccount } from '../../reports/journal/model.ts';
import { inNumberTexts } from '../base/number-texts.ts';
import { readMonths, requireMonths } from '../checks/facts/months.ts';
import type { Config } from '../config/index.ts';
import { ofCourier } from '../ledger/index.ts';
import { readNumberTexts, readVersionCharges } from '../ledger/queries/invoices/settlements.ts';
import { type LedgerReader, usingSnapshot } from '../ledger/queries/snapshot.ts';
import type { JournalFormat } from '../render/formats.ts';
import { type JournalFile, journalFiles } from '../render/journal/index.ts';
import { journalSettings } from '../render/journal/settings.ts';
import type { LedgerFileOptions } from '../render/journal/texts.ts';
import { usingBooksAsOf } from './as-of.ts';
import type { Books } from './books.ts';
import { type Courier, couriersOf, couriersWithMonths, monthsOf } from './couriers.ts';

interface JournalRequest {
  /** The months, in order; null for every month that the ledger holds. */
  readonly periods: readonly string[] | null;
  readonly format: JournalFormat;
  /** The ledger as it was then; null for as it is. */
  readonly asOf: Date | null;
  /**
   * Whether a file for hledger or beancount stands alone: with opening balances, and assertions of the closing ones.
   */
  readonly standsAlone: boolean;
}

/** Formats of programs that take few lines: deliveries are one transaction a day there. */
const BY_DAY: readonly JournalFormat[] = ['xero', 'quickbooks'];

/**
 * Makes the files of a period's journal, in one format. Each of several couriers gets files of its own, because
 * programs read one set of balances from a file; the ids of its transactions begin with its key, because two couriers
 * may use one invoice number.
 *
 * @throws ConfigError naming what is wrong in `[journal]`; LedgerError when no month of the period was ever synced
 */
export function journalOfBooks(books: Books, request: JournalRequest): Promise<JournalFile[]> {
  return usingBooksAsOf(books, request.asOf, { readOnly: true }, async (ledger, { config }) => {
    const { couriers, lacking } = await couriersWithMonths(ledger, config, request.periods);
    for (const { courier, error } of lacking) {
      books.note?.(`${courier}: ${error.message}, so there is no journal of it`);
    }
    return usingSnapshot(ledger, async (wholeDb) => {
      const files: JournalFile[] = [];
      const { format, standsAlone } = request;
      // A file that stands alone opens every account itself.
      const firstUsed = format === 'beancount' && !standsAlone ? await readFirstUsed(wholeDb, config) : [];
      for (const courier of couriers) {
        const db = ofCourier(wholeDb, courier.key);
        const { periods } = await monthsOf({ db, name: ledger.name }, courier.config, request.periods);
        const opens = firstUsed.flatMap(({ account, key, month }) =>
          key === courier.key && periods.includes(month) ? [account] : [],
        );
        files.push(...(await journalOfCourier(db, courier, periods, format, { standsAlone, opens })));
      }
      return files;
    });
  });
}

/** Makes the journal files of some months of one courier, from a snapshot of its rows. */
export async function journalOfCourier(
  db: LedgerReader,
  { key, name, config }: Pick<Courier<Config>, 'key' | 'name' | 'config'>,
  periods: readonly string[],
  format: JournalFormat,
  options: LedgerFileOptions,
): Promise<JournalFile[]> {
  const settings = journalSettings(config.journal, format);
  await requireMonths(db, config, periods);
  const deliveredBy = BY_DAY.includes(format) ? 'day' : 'order';
  const period = periods.length === 1 ? periods[0]! : `${periods[0]}..${periods.at(-1)}`;
  const built = await buildJournal(db, { settings: config, periods, period, deliveredBy });
  const texts = await readNumberTexts(db);
  // A courier's settings have its name where the books have several.
  const isOneOfSeveral = config.name !== undefined;
  // By its id a program knows that it has a transaction and must not book it again. So the id has what never changes:
  // the courier's key, not its name, and the ledger's integer for a payout, where people read `P-17`.
  const prefix = isOneOfSeveral ? `${key}-` : '';
  const transactions = built.transactions.map(({ id, narration, references, ...transaction }) => ({
    ...transaction,
    id: `${prefix}${id}`,
    narration: inNumberTexts(narration, texts),
    references: inNumberTexts(references, texts),
  }));
  const journal = { ...built, transactions };
  const files = journalFiles(journal, format, settings, options);
  return isOneOfSeveral ? files.map((file) => ({ ...file, suffix: `-${name}${file.suffix}` })) : files;
}

/** An account, and the courier and month in whose file the books first use it. */
interface FirstUse {
  readonly account: JournalAccount;
  readonly key: string;
  readonly month: string;
}

/**
 * The one file in which beancount opens each account: that of the first month that uses it, and in this month that of
 * the first courier by key. Every month uses JOURNAL_ACCOUNTS; only one with such an invoice a charge's account.
 */
async function readFirstUsed(db: LedgerReader, config: Config): Promise<FirstUse[]> {
  const first = new Map<JournalAccount, FirstUse>();
  const keepEarlier = (use: FirstUse) => {
    const known = first.get(use.account);
    if (known === undefined || use.month < known.month) first.set(use.account, use);
  };
  const couriers = await couriersOf(db, { ...config, courier: null });
  for (const { key, config: courierConfig } of couriers.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const courierRows = ofCourier(db, key);
    const [month] = await readMonths(courierRows, courierConfig);
    if (month !== undefined) for (const account of JOURNAL_ACCOUNTS) keepEarlier({ account, key, month });
    for (const { kind, name, period } of await readVersionCharges(courierRows))
      keepEarlier({ account: accountOfKind(kind, name), key, month: period });
  }
  return [...first.values()];
}

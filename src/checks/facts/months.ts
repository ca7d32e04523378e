import { monthIn } from '../../base/day.ts';
import { LedgerError } from '../../base/errors.ts';
import { addMonths, eachMonth, formatPeriod } from '../../base/period.ts';
import { readDocumentedMonths, readFirstReceiptDay, readLastMonth } from '../../ledger/queries/months.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { ledgerError } from '../../words/errors/ledger.ts';
import type { CheckSettings } from '../check.ts';
import { hasOnlySheets } from '../requirement.ts';
import { type MatchSettings, readMatchBooks } from './receipts/match-books.ts';
import { readSources } from './sources.ts';

/** The settings that say whose receipts are a courier's, and how its documents come. */
export type MonthSettings = MatchSettings & Pick<CheckSettings, 'kind'>;

/**
 * The months for which reports have a line for a courier, even if nothing happened in them: from the first with
 * anything of the courier's to the last in the books. None if there is nothing of the courier's.
 */
export async function readMonths(db: LedgerReader, settings: MonthSettings): Promise<string[]> {
  const [documented] = await readDocumentedMonths(db);
  const received = await firstReceived(db, settings, documented);
  const first = received ?? documented;
  const last = await readLastMonth(db, settings.timeZone);
  return first === undefined || last === null ? [] : eachMonth(first, last);
}

/**
 * The months that are checked if none is asked for: those with documents of the courier's, and after them those that
 * are over, up to the last in the books, so that a sheet or a sync that did not come is not passed over in silence.
 */
export async function readMonthsToCheck(db: LedgerReader, timeZone: string, now: Date): Promise<string[]> {
  const documented = await readDocumentedMonths(db);
  const last = await readLastMonth(db, timeZone);
  if (documented.length === 0 || last === null) return documented;
  const over = addMonths(monthIn(now, timeZone), -1);
  return [...documented, ...eachMonth(addMonths(documented.at(-1)!, 1), last < over ? last : over)];
}

/** The month of the courier's first receipt, if it is earlier than `before`. */
async function firstReceived(db: LedgerReader, settings: MatchSettings, before: string | undefined) {
  const day = await readFirstReceiptDay(db);
  // If no receipt at all is that early, whose receipts they are need not be read, which takes long.
  if (day === null || (before !== undefined && day.slice(0, 7) >= before)) return;
  const { receipts, courierReceipts, held } = await readMatchBooks(db, settings);
  const ids = [...courierReceipts.keys(), ...held.flatMap((match) => match.receipts.map(({ id }) => id))];
  const [first] = ids.map((id) => receipts.get(id)!.date.slice(0, 7)).sort();
  return first !== undefined && (before === undefined || first < before) ? first : undefined;
}

/**
 * Those of the given months for which reports have a line for the courier: see {@link readMonths}.
 *
 * @throws LedgerError if there are none: an empty answer would read as 'nothing is owed'
 */
export async function requireMonths(db: LedgerReader, settings: MonthSettings, periods: readonly string[]) {
  const known = new Set(await readMonths(db, settings));
  const months = periods.filter((period) => known.has(period));
  if (months.length > 0) return months;
  const bySheets = await comesAsSheets(db, settings);
  const isOne = periods.length === 1;
  throw new LedgerError(ledgerError({ id: 'never-synced', months: formatPeriod(periods), one: isOne, bySheets }));
}

/** Whether the courier's documents come as settlement sheets, for which there is no sync. */
export async function comesAsSheets(db: LedgerReader, { kind }: Pick<CheckSettings, 'kind'>): Promise<boolean> {
  return kind === 'files' || hasOnlySheets(await readSources(db));
}

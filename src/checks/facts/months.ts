import { monthIn } from '../../base/day.ts';
import { LedgerError } from '../../base/errors.ts';
import { addMonths, eachMonth, formatPeriod } from '../../base/period.ts';
import { readDocumentedMonths, readFirstReceiptDay, readLastMonth } from '../../ledger/queries/months.ts';
import type { LedgerReader } from '../../ledger/queries/snapshot.ts';
import { because } from '../../words/errors/ledger.ts';
import type { CheckSettings } from '../check.ts';
import { isOfSheets } from '../requirement.ts';
import { type MatchSettings, readMatchBooks } from './receipts/match-books.ts';
import { readSources } from './sources.ts';

/** Whose receipts are a courier's, and how its side comes. */
export type MonthSettings = MatchSettings & Pick<CheckSettings, 'kind'>;

/**
 * The months that a courier has a line in, whether anything happened in them: from the first in which it has anything until the last that
 * the books hold; none where it has nothing.
 */
export async function readMonths(db: LedgerReader, settings: MonthSettings): Promise<string[]> {
  const [documented] = await readDocumentedMonths(db);
  const received = await firstReceived(db, settings, documented);
  const first = received ?? documented;
  const last = await readLastMonth(db, settings.timeZone);
  return first === undefined || last === null ? [] : eachMonth(first, last);
}

/**
 * The months that are checked where none is asked for: those that the courier's side says something about, and after them those that are
 * over and in which the books hold anything, so that a sheet or a sync that did not come is not passed over in silence.
 */
export async function readMonthsToCheck(db: LedgerReader, timeZone: string, now: Date): Promise<string[]> {
  const held = await readDocumentedMonths(db);
  const last = await readLastMonth(db, timeZone);
  if (held.length === 0 || last === null) return held;
  const over = addMonths(monthIn(now, timeZone), -1);
  return [...held, ...eachMonth(addMonths(held.at(-1)!, 1), last < over ? last : over)];
}

/** The month of the courier's first receipt, where it came before a month. */
async function firstReceived(
  db: LedgerReader,
  settings: MatchSettings,
  before: string | undefined,
): Promise<string | undefined> {
  const day = await readFirstReceiptDay(db);
  if (day === null || (before !== undefined && day.slice(0, 7) >= before)) return;
  const { receipts, theirs, held } = await readMatchBooks(db, settings);
  const courierReceipts = [...theirs.keys(), ...held.flatMap((match) => match.receipts.map(({ id }) => id))];
  const [first] = courierReceipts.map((id) => receipts.get(id)!.date.slice(0, 7)).sort();
  return first !== undefined && (before === undefined || first < before) ? first : undefined;
}

/**
 * Those of some months that the courier has a line in.
 *
 * @throws LedgerError where it has none of them: an empty answer would read as 'nothing is owed'
 */
export async function requireMonths(
  db: LedgerReader,
  settings: MonthSettings,
  periods: readonly string[],
): Promise<string[]> {
  const known = new Set(await readMonths(db, settings));
  const months = periods.filter((period) => known.has(period));
  if (months.length > 0) return months;
  const bySheets = await comesAsSheets(db, settings);
  const one = periods.length === 1;
  throw new LedgerError(because({ id: 'never-synced', months: formatPeriod(periods), one, bySheets }));
}

/** Whether the courier's side comes as settlement sheets, which nothing syncs. */
export async function comesAsSheets(db: LedgerReader, { kind }: Pick<CheckSettings, 'kind'>): Promise<boolean> {
  return kind === 'files' || isOfSheets(await readSources(db));
}

import { LedgerError } from '../base/errors.ts';
import { formatPeriod } from '../base/period.ts';
import { comesAsSheets, type MonthSettings, readMonths } from '../checks/facts/months.ts';
import type { Ledger } from '../ledger/index.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import { because } from '../words/errors/books.ts';

/** The months that something is about, and how they are printed. */
export interface Months {
  readonly periods: readonly string[];
  readonly period: string;
}

/**
 * The months asked for, or every month of a courier.
 *
 * @param read what every month is; those in which the courier has a line where absent
 * @throws LedgerError when none is asked for and there is none
 */
export async function monthsOf(
  { db, name }: Pick<Ledger, 'db' | 'name'>,
  settings: MonthSettings,
  asked: readonly string[] | null,
  read: (db: LedgerReader, settings: MonthSettings) => Promise<string[]> = readMonths,
): Promise<Months> {
  if (asked) return { periods: asked, period: formatPeriod(asked) };
  const periods = await read(db, settings);
  const first = periods[0];
  if (first === undefined) {
    throw new LedgerError(because({ id: 'no-month-yet', ledger: name, bySheets: await comesAsSheets(db, settings) }));
  }
  return { periods, period: periods.length === 1 ? first : `${first}..${periods.at(-1)}` };
}

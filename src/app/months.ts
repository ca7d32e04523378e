import { LedgerError } from '../base/errors.ts';
import { formatPeriod } from '../base/period.ts';
import { comesAsSheets, type MonthSettings, readMonths } from '../checks/facts/months.ts';
import type { Ledger } from '../ledger/index.ts';
import type { LedgerReader } from '../ledger/queries/snapshot.ts';
import { because } from '../words/errors/books.ts';

/** Months, and how they are printed together: `2026-09..2026-11`. */
export interface Months {
  readonly periods: readonly string[];
  readonly period: string;
}

/**
 * The requested months, or every month of a courier.
 *
 * @param read reads every month; without it, those in which the courier has a line
 * @throws LedgerError when none is requested and there is none
 */
export async function monthsOf(
  { db, name }: Pick<Ledger, 'db' | 'name'>,
  settings: MonthSettings,
  requested: readonly string[] | null,
  read: (db: LedgerReader, settings: MonthSettings) => Promise<string[]> = readMonths,
): Promise<Months> {
  if (requested) return { periods: requested, period: formatPeriod(requested) };
  const periods = await read(db, settings);
  const first = periods[0];
  if (first === undefined) {
    throw new LedgerError(because({ id: 'no-month-yet', ledger: name, bySheets: await comesAsSheets(db, settings) }));
  }
  // Named by the first and the last, even if a month between them is missing.
  return { periods, period: periods.length === 1 ? first : `${first}..${periods.at(-1)}` };
}

import { LedgerError } from '../base/errors.ts';
import { formatPeriod } from '../base/period.ts';
import type { Ledger } from '../ledger/index.ts';
import { monthsHeld } from '../ledger/queries/index.ts';
import { because } from '../words/errors/books.ts';

/** The months that something is about, and how they are printed. */
export interface Months {
  readonly periods: readonly string[];
  readonly period: string;
}

/** The months asked for, or every month that the ledger holds. @throws LedgerError when none is asked for and it holds none */
export async function monthsOf(ledger: Pick<Ledger, 'db' | 'name'>, asked: readonly string[] | null): Promise<Months> {
  if (asked) return { periods: asked, period: formatPeriod(asked) };
  const periods = await monthsHeld(ledger.db);
  const first = periods[0];
  if (first === undefined) throw new LedgerError(because({ id: 'no-month-yet', ledger: ledger.name }));
  return { periods, period: periods.length === 1 ? first : `${first}..${periods.at(-1)}` };
}

import { LedgerError } from '../errors.ts';
import type { Ledger } from '../ledger/index.ts';
import { monthsHeld } from '../ledger/months.ts';
import { formatPeriod, parsePeriod } from '../period.ts';
import type { Session } from './session.ts';

/** The months that a command is about, and how they are printed. */
export interface Months {
  readonly periods: readonly string[];
  readonly period: string;
}

/** The period that was typed; nothing for none. Read before anything is opened. @throws UsageError */
export function typedMonths(session: Session, text: string | undefined): Months | null {
  if (text === undefined) return null;
  const periods = parsePeriod(text, session.io.now());
  return { periods, period: formatPeriod(periods) };
}

/** Every month that the ledger holds. @throws LedgerError when it holds none */
export async function allMonths(ledger: Ledger): Promise<Months> {
  const periods = await monthsHeld(ledger);
  const first = periods[0];
  if (first === undefined) {
    throw new LedgerError(`${ledger.file} holds no month yet`, 'Run `remit sync` first.');
  }
  const period = periods.length === 1 ? first : `${first}..${periods.at(-1)}`;
  return { periods, period };
}

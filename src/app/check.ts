import { CHECKS } from '../checks/index.ts';
import { type CheckResult, runChecks } from '../checks/run.ts';
import type { Config } from '../config.ts';
import type { Ledger, Severity } from '../ledger/index.ts';
import { requireSaneClock } from '../period.ts';
import { type Books, usingBooks } from './books.ts';
import { monthsOf } from './months.ts';

export type { CheckResult, Severity };

/** Every check, in the order of the catalogue: its code, and in a sentence what it expects. */
export function listChecks(): readonly { readonly code: string; readonly title: string }[] {
  return CHECKS.map(({ code, title }) => ({ code, title }));
}

/** A mismatch as a check's result lists it. */
export type FoundMismatch = CheckResult['mismatches'][number];

/** The least severity at which a mismatch counts as a failure. */
export type FailOn = 'error' | 'warning' | 'never';

export interface CheckRequest {
  /** The months, in order; null for every month that the ledger holds. */
  readonly periods: readonly string[] | null;
  /** The codes of the checks to run; all of them when absent or empty. */
  readonly only?: readonly string[] | undefined;
}

/**
 * Checks months of the books and stores what is found.
 *
 * @throws UsageError for a code that no check has; LedgerError when none of the months was ever synced
 */
export function checkBooks(books: Books, request: CheckRequest): Promise<CheckResult> {
  return usingBooks(books, {}, (ledger) => checkLedger(ledger, books, request));
}

/** The same in a ledger that is open. Every use case that stores findings does it through this function. */
export async function checkLedger(
  ledger: Ledger,
  { config, now }: { readonly config: Config; readonly now: () => Date },
  { periods: asked, only = [] }: CheckRequest,
): Promise<CheckResult> {
  // Ages are computed from the clock, and what is found is kept.
  requireSaneClock(now());
  const { periods } = await monthsOf(ledger, asked);
  return runChecks(ledger, { periods, settings: config, now: now(), only });
}

/** Whether an open mismatch is severe enough to count as a failure. */
export function isFailure({ open }: Pick<CheckResult, 'open'>, failOn: FailOn): boolean {
  if (failOn === 'never') return false;
  return open.error + (failOn === 'warning' ? open.warning : 0) > 0;
}

import { UsageError } from '../errors.ts';
import type { Ledger, Severity } from '../ledger/index.ts';
import {
  type Mismatch,
  monthsNewerThanOrderBook,
  type OrderBook,
  readMismatches,
  readOrderBook,
  requireSynced,
} from '../ledger/reader/index.ts';
import { formatPeriod } from '../period.ts';
import type { Check, CheckSettings } from './check.ts';
import { CHECKS } from './index.ts';
import { storeFindings } from './store.ts';

/** A check that could not look, and why: silence must never read as 'all is well'. */
interface Skipped {
  readonly code: string;
  readonly why: string;
}

/** What `check --json` prints, and the months that could not be checked. */
export interface CheckResult {
  readonly period: string;
  /** How many mismatches are open, by severity; acknowledged ones are not counted. */
  readonly open: Readonly<Record<Severity, number>>;
  readonly skipped: readonly Skipped[];
  /** Those that are open or acknowledged, the worst first. */
  readonly mismatches: readonly Mismatch[];
  /** The months of the period that were never synced; empty when all were. */
  readonly notSynced: readonly string[];
  /** The months that list invoices which could not be brought or read: how many the ledger lacks, of how many. */
  readonly lacking: readonly { period: string; missing: number; listed: number }[];
}

export interface CheckOptions {
  readonly periods: readonly string[];
  /** The codes of the checks to run; all of them when absent or empty. */
  readonly only?: readonly string[];
  readonly settings: CheckSettings;
  readonly now: Date;
}

/**
 * Runs the checks over some months, stores what they find and returns what is not resolved. Reading and storing happen in one
 * transaction, so a sync at the same time changes nothing halfway.
 *
 * @throws UsageError for a code that no check has
 * @throws LedgerError when none of the months was ever synced
 */
export async function runChecks(ledger: Ledger, options: CheckOptions): Promise<CheckResult> {
  const checks = selectChecks(options.only ?? []);
  return ledger.db.transaction().execute(async (db) => {
    const { synced, never: notSynced, lacking } = await requireSynced(db, options.periods);
    const orderBook = await readOrderBook(db);
    const skipped: Skipped[] = [];
    const newer = await monthsNewerThanOrderBook(db, synced);
    for (const check of checks) {
      const { periods, why } = whatCanBeChecked(check, synced, orderBook, newer);
      if (why) skipped.push({ code: check.code, why });
      if (periods.length === 0) continue;
      const findings = await check.find({ db, periods, settings: options.settings, now: options.now });
      await storeFindings(db, check, findings, { periods, now: options.now });
    }

    const codes = checks.map(({ code }) => code);
    const mismatches = await readMismatches(db, synced, { codes, unresolved: true });
    const open = { error: 0, warning: 0, info: 0 };
    for (const { severity, status } of mismatches) if (status === 'open') open[severity] += 1;
    return { period: formatPeriod(options.periods), open, skipped, mismatches, notSynced, lacking };
  });
}

function selectChecks(only: readonly string[]): readonly Check[] {
  const codes = CHECKS.map(({ code }) => code);
  const unknown = only.find((code) => !codes.includes(code));
  if (unknown !== undefined) {
    throw new UsageError(
      `there is no check ${JSON.stringify(unknown.slice(0, 60))}`,
      `The checks are ${codes.join(', ')}.`,
    );
  }
  return only.length === 0 ? CHECKS : CHECKS.filter(({ code }) => only.includes(code));
}

/** The months that a check can look at, and why not at the others. */
function whatCanBeChecked(
  { needs }: Check,
  synced: readonly string[],
  { state, has_unreadable }: OrderBook,
  newer: ReadonlySet<string>,
): { periods: readonly string[]; why: string | null } {
  if (needs === 'invoices') return { periods: synced, why: null };
  if (state === 'none') return { periods: [], why: 'the order book was never synced; run `remit sync --orders`' };
  if (state === 'partial')
    return { periods: [], why: 'no sync has brought the whole order book yet; run `remit sync --orders` again' };
  if (needs === 'readable-order-book' && has_unreadable)
    return {
      periods: [],
      why: 'some orders of the order book could not be read, so none can be called unknown; `remit sync --orders` names them',
    };
  if (needs === 'order-book' || newer.size === 0) return { periods: synced, why: null };
  const months = synced.filter((period) => newer.has(period)).join(', ');
  return {
    periods: synced.filter((period) => !newer.has(period)),
    why: `invoices of ${months} came in after the order book was last synced; run \`remit sync --orders\``,
  };
}

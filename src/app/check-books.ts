import { formatPeriod } from '../base/period.ts';
import { readMonthsToCheck } from '../checks/facts/months.ts';
import { readNumberTexts } from '../ledger/queries/invoices/settlements.ts';
import { usingSnapshot } from '../ledger/queries/snapshot.ts';
import { usingBooksAsOf } from './as-of.ts';
import { type Books, usingBooks } from './books.ts';
import { type CheckRequest, checkLedger, lookAtMonths } from './check.ts';
import { byReading, type CheckResult, resultOf } from './check-result.ts';
import { ledgerOf, monthsToCheck } from './couriers.ts';
import { monthsOf as askedMonths } from './months.ts';

/**
 * Checks months of the books and stores what is found.
 *
 * @throws UsageError for a code that no check has; LedgerError when the ledger holds no month
 */
export function checkBooks(books: Books, request: CheckRequest): Promise<CheckResult> {
  return usingBooksAsOf(books, request.asOf ?? null, { allCouriers: true }, async (ledger, { config, now }) => {
    const checked: { courier: string; result: CheckResult }[] = [];
    const isWhole = request.periods === null;
    for (const { courier, months } of await monthsToCheck(ledger, { config, now }, request.periods)) {
      const courierRequest = { ...request, periods: months, isWhole };
      const result = await checkLedger(ledgerOf(ledger, courier), { config: courier.config, now }, courierRequest);
      checked.push({ courier: courier.name, result });
    }
    return together(checked);
  });
}

/** What the checks find in some months of the books as they are: nothing is matched before, and nothing is stored. */
export function lookAtBooks({ config, now, ...books }: Books, asked: readonly string[] | null): Promise<CheckResult> {
  return usingBooks({ config, now, ...books }, { readOnly: true, allCouriers: true }, async (ledger) => {
    const looked: { courier: string; result: CheckResult }[] = [];
    for (const { courier, months: wanted } of await monthsToCheck(ledger, { config, now }, asked)) {
      const courierLedger = ledgerOf(ledger, courier);
      const months = await askedMonths(courierLedger, courier.config, wanted, (db) =>
        readMonthsToCheck(db, config.timeZone, now()),
      );
      const result = await usingSnapshot(courierLedger, async (db) =>
        resultOf(
          await lookAtMonths(db, { config: courier.config, now }, months.periods),
          { ...months, isWhole: asked === null, courier: courier.name },
          await readNumberTexts(db),
        ),
      );
      looked.push({ courier: courier.name, result });
    }
    return together(looked);
  });
}

/** The results of checking each courier as one: every line says whose it is. */
function together(parts: readonly { readonly courier: string; readonly result: CheckResult }[]): CheckResult {
  const named = parts.map(({ courier, result }) => naming(courier, result));
  const [only, ...others] = named;
  if (others.length === 0) return only!;
  const all = <T>(listOf: (result: CheckResult) => readonly T[]) => named.flatMap(listOf);
  const sum = (countOf: (result: CheckResult) => number) => named.reduce((total, result) => total + countOf(result), 0);
  const periods = [...new Set(named.map(({ period }) => period))];
  return {
    period: periods.length === 1 ? periods[0]! : formatPeriod(firstAndLast(periods)),
    open: {
      error: sum(({ open }) => open.error),
      warning: sum(({ open }) => open.warning),
      info: sum(({ open }) => open.info),
    },
    new: sum((result) => result.new),
    resolved: sum((result) => result.resolved),
    skipped: all((result) => result.skipped),
    incomplete: all((result) => result.incomplete),
    early: [...new Set(all((result) => result.early))].sort(),
    coverage: all((result) => result.coverage),
    bridge: all((result) => result.bridge),
    order_book: all((result) => result.order_book),
    returns: named[0]!.returns,
    effects: new Map(all(({ effects }) => [...effects])),
    groups: all((result) => result.groups),
    mismatches: all((result) => result.mismatches).sort(byReading),
    changed: all((result) => result.changed).sort(byReading),
    changedGroups: {
      shown: all(({ changedGroups }) => changedGroups.shown),
      resolved: all(({ changedGroups }) => changedGroups.resolved),
    },
    reopened: all((result) => result.reopened),
    uncompared: all((result) => result.uncompared),
    reasons: {
      skipped: all(({ reasons }) => reasons.skipped),
      incomplete: all(({ reasons }) => reasons.incomplete),
      uncompared: all(({ reasons }) => reasons.uncompared),
      causes: all(({ reasons }) => reasons.causes),
      lacking: parts.flatMap(({ courier, result }) => result.reasons.lacking.map((month) => ({ ...month, courier }))),
    },
    parts: parts.map(({ courier }, index) => ({ courier, result: named[index]! })),
  };
}

/** The first and the last month of some periods: 2026-08 and 2026-11 of `2026-08..2026-10` and `2026-09..2026-11`. */
function firstAndLast(periods: readonly string[]): string[] {
  const ends = periods.flatMap((period) => period.match(/\d{4}-\d{2}/g) ?? []).sort();
  return [...new Set([ends[0] ?? '', ends.at(-1) ?? ''])];
}

function naming(courier: string, result: CheckResult): CheckResult {
  const name = <T extends object>(lines: readonly T[]) => lines.map((line) => ({ courier, ...line }));
  return {
    ...result,
    skipped: name(result.skipped),
    incomplete: name(result.incomplete),
    coverage: name(result.coverage),
    bridge: result.bridge.map((line) => ({ courier_name: courier, ...line })),
    groups: name(result.groups),
    mismatches: name(result.mismatches),
    changed: name(result.changed),
    changedGroups: { shown: name(result.changedGroups.shown), resolved: name(result.changedGroups.resolved) },
  };
}

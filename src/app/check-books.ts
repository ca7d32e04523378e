import { formatPeriod } from '../base/period.ts';
import { readMonthsToCheck } from '../checks/facts/months.ts';
import { byMoney } from '../checks/groups.ts';
import { readNumberTexts } from '../ledger/queries/invoices/settlements.ts';
import { usingSnapshot } from '../ledger/queries/snapshot.ts';
import { usingBooksAsOf } from './as-of.ts';
import { type Books, usingBooks } from './books.ts';
import { type CheckRequest, checkLedger, lookAtMonths } from './check.ts';
import { type CheckResult, type CourierResult, resultOf, worstFirst } from './check-result.ts';
import { ledgerOf, monthsOf, monthsToCheck } from './couriers.ts';

/**
 * Checks months of the books and stores what is found.
 *
 * @throws UsageError for a code that no check has; LedgerError when the ledger holds no month
 */
export function checkBooks(books: Books, request: CheckRequest): Promise<CheckResult> {
  return usingBooksAsOf(books, request.asOf ?? null, {}, async (ledger, { config, now }) => {
    const checked: CourierResult[] = [];
    const isWhole = request.periods === null;
    for (const { courier, months } of await monthsToCheck(ledger, { config, now }, request.periods)) {
      const courierRequest = { ...request, periods: months, isWhole };
      const result = await checkLedger(ledgerOf(ledger, courier), { config: courier.config, now }, courierRequest);
      checked.push({ courier: courier.name, result });
    }
    return joinResults(checked);
  });
}

/** Checks months of the books as they are: nothing is matched before, and nothing is stored. */
export function checkBooksWithoutStoring(books: Books, periods: readonly string[] | null): Promise<CheckResult> {
  const { config, now } = books;
  return usingBooks(books, { readOnly: true, allCouriers: true }, async (ledger) => {
    const checked: CourierResult[] = [];
    for (const { courier, months: wanted } of await monthsToCheck(ledger, { config, now }, periods)) {
      const courierLedger = ledgerOf(ledger, courier);
      const months = await monthsOf(courierLedger, courier.config, wanted, (db) =>
        readMonthsToCheck(db, config.timeZone, now()),
      );
      const about = { ...months, isWhole: periods === null, courier: courier.name };
      const result = await usingSnapshot(courierLedger, async (db) => {
        const run = await lookAtMonths(db, { config: courier.config, now }, months.periods);
        return resultOf(run, about, await readNumberTexts(db));
      });
      checked.push({ courier: courier.name, result });
    }
    return joinResults(checked);
  });
}

/** The part of the checks' result that the desk's home page shows. */
export type BooksProof = Awaited<ReturnType<typeof readBooksProof>>;

/**
 * Reads what the checks cannot explain in each month and currency (null where the books have no figure to compare), and
 * what each month lacks. Nothing is stored.
 */
export async function readBooksProof(books: Books) {
  const { bridge, reasons } = await checkBooksWithoutStoring(books, null);
  const unexplained = bridge.map(({ courier_name: courier, period, currency, unexplained }) => {
    return { courier, period, currency, unexplained };
  });
  return { unexplained, lacking: reasons.lacking };
}

/**
 * Joins the results of all couriers into one. {@link withCourierName} gives the lines of findings, months and skipped
 * checks the name of their courier, even if there is only one courier.
 */
function joinResults(parts: readonly CourierResult[]): CheckResult {
  const results = parts.map(({ courier, result }) => withCourierName(courier, result));
  if (results.length < 2) return results[0]!;
  const joined = <T>(listOf: (result: CheckResult) => readonly T[]) => results.flatMap(listOf);
  const sum = (count: (result: CheckResult) => number) => results.reduce((total, each) => total + count(each), 0);
  const groupsWithCause = joined(({ groups, reasons }) =>
    groups.map((group, index) => ({ group, cause: reasons.causes[index]! })),
  ).sort((a, b) => byMoney(a.group, b.group));
  const periods = [...new Set(results.map(({ period }) => period))];
  const months = [...new Set(joined((result) => result.months))].sort();
  return {
    // Couriers that begin in different months are checked for different periods.
    period: periods.length === 1 ? periods[0]! : formatPeriod(months),
    months,
    open: {
      error: sum(({ open }) => open.error),
      warning: sum(({ open }) => open.warning),
      info: sum(({ open }) => open.info),
    },
    new: sum((result) => result.new),
    resolved: sum((result) => result.resolved),
    skipped: joined((result) => result.skipped),
    incomplete: joined((result) => result.incomplete),
    early: [...new Set(joined((result) => result.early))].sort(),
    coverage: joined((result) => result.coverage),
    bridge: joined((result) => result.bridge),
    order_book: joined((result) => result.order_book),
    // Each courier counts RETURN orders in its way, which its result in `parts` has: this one is not shown.
    returns: results[0]!.returns,
    effects: new Map(joined(({ effects }) => [...effects])),
    groups: groupsWithCause.map(({ group }) => group),
    mismatches: joined((result) => result.mismatches).sort(worstFirst),
    changed: joined((result) => result.changed).sort(worstFirst),
    changedGroups: {
      shown: joined(({ changedGroups }) => changedGroups.shown).sort(byMoney),
      resolved: joined(({ changedGroups }) => changedGroups.resolved).sort(byMoney),
    },
    reopened: joined((result) => result.reopened),
    uncompared: joined((result) => result.uncompared),
    reasons: {
      skipped: joined(({ reasons }) => reasons.skipped),
      incomplete: joined(({ reasons }) => reasons.incomplete),
      uncompared: joined(({ reasons }) => reasons.uncompared),
      causes: groupsWithCause.map(({ cause }) => cause),
      lacking: joined(({ reasons }) => reasons.lacking),
    },
    parts: parts.map(({ courier }, index) => ({ courier, result: results[index]! })),
  };
}

function withCourierName(courier: string, result: CheckResult): CheckResult {
  const name = <T extends object>(lines: readonly T[]) => lines.map((line) => ({ courier, ...line }));
  return {
    ...result,
    skipped: name(result.skipped),
    incomplete: name(result.incomplete),
    coverage: name(result.coverage),
    // A line's `courier` is the courier's figure.
    bridge: result.bridge.map((line) => ({ courier_name: courier, ...line })),
    groups: name(result.groups),
    mismatches: name(result.mismatches),
    changed: name(result.changed),
    changedGroups: { shown: name(result.changedGroups.shown), resolved: name(result.changedGroups.resolved) },
    reasons: { ...result.reasons, lacking: name(result.reasons.lacking) },
  };
}

import { Totals } from '../../money/sum.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import { listChecks } from '../check.ts';
import type { CheckResult, FoundGroup } from '../check-result.ts';
import type { CodeNews, NightCheck } from './model.ts';

/** The most mismatches that are listed: a first night may find thousands. The counts by code include all. */
const MOST_LISTED = 100;

/**
 * Makes the night's part of a check's result: what changed by code, and its effects.
 *
 * @param month the current month: it, and later ones, are incomplete because they are not over
 * @param closedAnyway the months that a person closed in spite of reasons against it: what they lack is on record
 */
export function newsOf(result: CheckResult, month: string, closedAnyway: ReadonlySet<string>): NightCheck {
  const running = result.early.filter((each) => each >= month);
  const accepted = [...new Set(result.incomplete.map((each) => each.period))].filter((each) => closedAnyway.has(each));
  const { period, open, new: opened, resolved, skipped, incomplete, changed, reopened, bridge } = result;
  const { shown, resolved: resolvedGroups } = result.changedGroups;
  const listed = changed.slice(0, MOST_LISTED);
  const isListed = new Set(listed.map(({ id }) => id));
  const listedOf = (group: FoundGroup) => ({ ...group, ids: group.ids.filter((id) => isListed.has(id)) });
  const resolvedMismatches = changed.filter(({ status }) => status === 'resolved');
  const openedMismatches = changed.filter(({ status }) => status !== 'resolved');
  return {
    period,
    open,
    new: opened,
    reopened: reopened.length,
    resolved,
    codes: codesOf(result),
    incomplete: incomplete.filter((each) => !running.includes(each.period) && !accepted.includes(each.period)),
    couriers: (result.parts ?? []).map(({ courier }) => courier),
    running,
    accepted,
    skipped,
    new_effects: effectSums(openedMismatches),
    resolved_effects: effectSums(resolvedMismatches),
    short: effectSums(bridge.map(({ currency, short }) => ({ currency, effect: short }))),
    short_by_month: bridge
      .filter(({ short }) => parseUnits(short) !== 0n)
      .map(({ courier_name: courier, period: shortMonth, currency, short }) => {
        return { ...(courier === undefined ? {} : { courier }), period: shortMonth, currency, effect: short };
      }),
    groups: shown.map(listedOf),
    resolved_groups: resolvedGroups.map(listedOf),
    mismatches: listed.map(({ note: _, ...mismatch }) => mismatch),
  };
}

function codesOf({ changed, reopened, mismatches }: CheckResult): CodeNews[] {
  const reopenedIds = new Set(reopened);
  return listChecks().flatMap(({ code }) => {
    const changedOfCode = changed.filter((mismatch) => mismatch.code === code);
    const openOfCode = mismatches.filter((mismatch) => mismatch.code === code && mismatch.status === 'open');
    // Both lists begin with the worst.
    const worst = changedOfCode[0] ?? openOfCode[0];
    if (!worst) return [];
    return {
      code,
      severity: worst.severity,
      opened: changedOfCode.filter(({ id, status }) => status !== 'resolved' && !reopenedIds.has(id)).length,
      reopened: changedOfCode.filter(({ id }) => reopenedIds.has(id)).length,
      resolved: changedOfCode.filter(({ status }) => status === 'resolved').length,
      open: openOfCode.length,
    };
  });
}

/** Sums by currency; a currency whose sum is zero is left out. */
export function effectSums(lines: readonly { readonly currency: string | null; readonly effect: string | null }[]) {
  const totals = new Totals();
  for (const { currency, effect } of lines) {
    if (currency !== null && effect !== null) totals.add(currency, parseUnits(effect));
  }
  return totals
    .currencies()
    .filter((currency) => totals.unitsOf(currency) !== 0n)
    .map((currency) => ({ currency, effect: formatUnits(totals.unitsOf(currency)) }));
}

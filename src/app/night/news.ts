import { Totals } from '../../money/totals.ts';
import { formatUnits, parseUnits } from '../../money/units.ts';
import { listChecks } from '../check.ts';
import type { CheckResult, FoundGroup, FoundMismatch } from '../check-result.ts';
import type { CodeNews, Effect, NightCheck } from './model.ts';

/** The most mismatches that are listed: a first night may find thousands. The counts by code are of all. */
const MOST_LISTED = 100;

/**
 * The result of a check as news: what changed by code, and its effects.
 *
 * @param month the current month, which is incomplete without a fault
 * @param closedWithOpen the months that were closed though something spoke against it: what they lack is on record
 */
export function newsOf(result: CheckResult, month: string, closedWithOpen: ReadonlySet<string>): NightCheck {
  const running = result.early.filter((period) => period >= month);
  const accepted = [...new Set(result.incomplete.map((each) => each.period))].filter((each) =>
    closedWithOpen.has(each),
  );
  const { period, open, new: opened, resolved, skipped, incomplete, changed, reopened, bridge } = result;
  const { shown, resolved: gone } = result.changedGroups;
  const listed = changed.slice(0, MOST_LISTED);
  const isListed = new Set(listed.map(({ id }) => id));
  const listedOf = (group: FoundGroup) => ({ ...group, ids: group.ids.filter((id) => isListed.has(id)) });
  const [over, news] = split(changed, ({ status }) => status === 'resolved');
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
    new_effects: effectsOf(news),
    resolved_effects: effectsOf(over),
    short: effectsOf(bridge.map(({ currency, short }) => ({ currency, effect: short }))),
    short_by_month: bridge.flatMap(({ courier_name: courier, period: month, currency, short }) =>
      parseUnits(short) === 0n
        ? []
        : [{ ...(courier === undefined ? {} : { courier }), period: month, currency, effect: short }],
    ),
    groups: shown.map(listedOf),
    resolved_groups: gone.map(listedOf),
    mismatches: listed.map(({ note: _, ...mismatch }) => mismatch),
  };
}

function codesOf({ changed, reopened, mismatches }: CheckResult): CodeNews[] {
  const again = new Set(reopened);
  const count = (of: readonly FoundMismatch[], is: (mismatch: FoundMismatch) => boolean) => of.filter(is).length;
  return listChecks().flatMap(({ code }) => {
    const own = changed.filter((mismatch) => mismatch.code === code);
    const standing = mismatches.filter((mismatch) => mismatch.code === code && mismatch.status === 'open');
    const worst = own[0] ?? standing[0];
    if (!worst) return [];
    return {
      code,
      severity: worst.severity,
      opened: count(own, ({ id, status }) => status !== 'resolved' && !again.has(id)),
      reopened: count(own, ({ id }) => again.has(id)),
      resolved: count(own, ({ status }) => status === 'resolved'),
      open: standing.length,
    };
  });
}

/** Sums by currency; a currency whose sum is zero is left out. */
export function effectsOf(
  lines: readonly { readonly currency: string | null; readonly effect: string | null }[],
): Effect[] {
  const totals = new Totals();
  for (const { currency, effect } of lines) {
    if (currency !== null && effect !== null) totals.add(currency, parseUnits(effect));
  }
  return totals
    .currencies()
    .filter((currency) => totals.unitsOf(currency) !== 0n)
    .map((currency) => ({ currency, effect: formatUnits(totals.unitsOf(currency)) }));
}

function split<T>(items: readonly T[], is: (item: T) => boolean): [yes: T[], no: T[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}

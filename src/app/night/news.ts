import { formatAmount, parseAmount, Totals } from '../../money/index.ts';
import { type CheckResult, type FoundMismatch, listChecks } from '../check.ts';
import type { CodeNews, Effect, NightCheck } from './model.ts';

/** A first night of bad books may find thousands; the counts by code leave out none. */
const MOST_LISTED = 100;

/**
 * What a check came to, as news: what changed by code, and what that is worth.
 *
 * @param month the one that is running: that it is not over is no fault
 */
export function newsOf(result: CheckResult, month: string): NightCheck {
  const running = result.early.filter((period) => period >= month);
  const { period, open, new: opened, resolved, skipped, incomplete, changed, reopened, bridge } = result;
  const [over, news] = split(changed, ({ status }) => status === 'resolved');
  return {
    period,
    open,
    new: opened,
    reopened: reopened.length,
    resolved,
    codes: codesOf(result),
    incomplete: incomplete.filter((each) => !running.includes(each.period)),
    running,
    skipped,
    new_effects: effectsOf(news),
    resolved_effects: effectsOf(over),
    short: effectsOf(bridge.map(({ currency, short }) => ({ currency, effect: short }))),
    mismatches: changed.slice(0, MOST_LISTED).map(({ note: _, ...mismatch }) => mismatch),
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

/** Sums by currency; a currency that comes to nothing is left out. */
export function effectsOf(
  lines: readonly { readonly currency: string | null; readonly effect: string | null }[],
): Effect[] {
  const totals = new Totals();
  for (const { currency, effect } of lines) {
    if (currency !== null && effect !== null) totals.add(currency, parseAmount(effect));
  }
  return totals
    .toMoney()
    .filter(({ amount }) => !amount.isZero())
    .map(({ currency, amount }) => ({ currency, effect: formatAmount(amount) }));
}

function split<T>(items: readonly T[], is: (item: T) => boolean): [yes: T[], no: T[]] {
  return [items.filter(is), items.filter((item) => !is(item))];
}

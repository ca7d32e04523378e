import { dayAfter } from './days.ts';
import type { Statement } from './facts.ts';

interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * The days of which the files of an account hold all movements: those within a stated range, and those between two
 * statements of which the second opens with what the first closed with.
 */
function heldDays(statements: readonly Statement[]): Days[] {
  const sorted = [...statements].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.to < b.to ? -1 : 1));
  const held: { from: string; to: string }[] = [];
  let last: Statement | null = null;
  for (const one of sorted) {
    const before = held.at(-1);
    const chains = last !== null && last.closing !== null && last.closing === one.opening;
    // A cash book has no line for a day without money: up to a week is none that is missing.
    const reach = one.isCash && last?.isCash ? 7 : 1;
    if (before && (chains || one.from <= dayAfter(before.to, reach)))
      before.to = before.to < one.to ? one.to : before.to;
    else held.push({ from: one.from, to: one.to });
    if (last === null || one.to >= last.to) last = one;
  }
  return held;
}

/** Whether every day of a range is held. */
export function holdsAll(statements: readonly Statement[], from: string, to: string): boolean {
  return heldDays(statements).some((days) => days.from <= from && days.to >= to);
}

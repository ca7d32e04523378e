import { monthOfNight } from '../history/knowledge.ts';
import { isComplete } from '../history/walk.ts';
import type { Verdict } from '../judge/index.ts';
import { monthAfter } from '../world/clock.ts';
import type { Closed } from './books.ts';

/**
 * The reasons against closing a month: those that must be given, and those that may be. A month with neither is closed.
 */
export interface Reasons {
  readonly must: ReadonlySet<string>;
  readonly may: ReadonlySet<string>;
}

interface Asked {
  readonly period: string;
  /** With `--first`. */
  readonly first: boolean;
  /** With `--with-open`. */
  readonly withOpen: boolean;
  readonly now: Date;
  /** Rule 45 leaves it open. */
  readonly mayBeIncomplete: boolean;
}

/** Rule 57. */
export function againstClosing(verdict: Verdict, closed: readonly Closed[], asked: Asked): Reasons {
  const { period, first, withOpen, now } = asked;
  const { ledger } = verdict;
  const [must, may] = [new Set<string>(), new Set<string>()];
  const isClosed = (month: string) => closed.some((close) => close.period === month);
  if (period >= monthOfNight(ledger.nights.at(-1)!, now)) must.add('not-ended');
  if (isClosed(period)) must.add('already-closed');
  else {
    if (closed.some((close) => close.period > period)) must.add('later-month-closed');
    if (first && closed.some((close) => close.period < period)) must.add('not-first');
    if (!first && !isClosed(monthAfter(period, -1))) must.add('month-before-open');
  }
  if (withOpen) return { must, may };
  if (verdict.why(period).size > 0) must.add('incomplete');
  else if (asked.mayBeIncomplete) may.add('incomplete');
  const walks = ledger.book.walks;
  if (walks.length === 0) must.add('not-checked');
  else if (!walks.some(isComplete)) may.add('not-checked');
  const errors = [...verdict.shown, ...verdict.kept].filter(
    ({ severity }) => severity === undefined || severity === 'error',
  );
  const own = errors.some((each) => each.times === 'one' && each.severity === 'error' && each.period === period);
  if (own) must.add('errors-open');
  else may.add('errors-open');
  return { must, may };
}

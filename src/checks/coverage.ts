import type { Sentence } from '../base/sentence.ts';
import type { Check, Finding, NotComparable } from './check.ts';
import { withRemedy } from './requirement.ts';

/** How much a check compared and found. */
export interface Coverage {
  readonly code: string;
  readonly compared: number;
  readonly not_comparable: number;
  readonly found: number;
  /** Why `not_comparable` of them could not be compared. */
  readonly reasons: readonly NotComparable[];
}

export type NotComparableSentence = {
  id: 'not-comparable';
  by: readonly { readonly code: string; readonly count: number }[];
  why: Sentence;
};

/** @param periods the months whose findings count; null for all */
export function coverageOf(
  { code }: Check,
  findings: readonly Finding[],
  { compared, notComparable }: { readonly compared: number; readonly notComparable: readonly NotComparable[] },
  periods: readonly string[] | null,
): Coverage {
  const not_comparable = notComparable.reduce((sum, { count }) => sum + count, 0);
  const found = findings.filter(
    (finding) => periods === null || isAnyOf([finding.period, ...finding.periods], periods),
  );
  return { code, compared, not_comparable, found: found.length, reasons: notComparable };
}

export function isAnyOf(months: readonly string[], periods: readonly string[]): boolean {
  return months.some((month) => periods.includes(month));
}

/** The reasons why records could not be compared, each once, with the number of records that each check gave it for. */
export function uncomparedIn(coverage: readonly Coverage[]): NotComparableSentence[] {
  const byReason = new Map<string, NotComparableSentence>();
  for (const { code, reasons } of coverage) {
    for (const { commands = [], count, ...reason } of reasons) {
      const why = withRemedy({ ...reason, commands });
      const key = JSON.stringify(why);
      byReason.set(key, { id: 'not-comparable', why, by: [...(byReason.get(key)?.by ?? []), { code, count }] });
    }
  }
  return [...byReason.values()];
}

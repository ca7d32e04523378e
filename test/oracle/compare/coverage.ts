import type { Verdict } from '../judge/index.ts';
import type { CheckAnswer } from './answer.ts';
import { CODES } from './catalogue.ts';

/** Each check says what it compared, or that it was skipped; what it found is what is shown of it. */
export function compareCoverage(verdict: Verdict, answer: CheckAnswer): string[] {
  const skipped = new Set(answer.skipped.map(({ code }) => code));
  const covered = new Map(answer.coverage.map((line) => [line.code, line]));
  return CODES.flatMap((code) => {
    const line = covered.get(code);
    if (!line) return skipped.has(code) ? [] : [`${code} is neither covered nor skipped`];
    const shown = answer.mismatches.filter(
      (mismatch) => mismatch.code === code && mismatch.status !== 'resolved',
    ).length;
    const kept = verdict.kept.filter((finding) => finding.code === code).length;
    const right = line.found <= shown && line.found >= shown - kept;
    return right ? [] : [`coverage of ${code} says ${line.found} found, ${shown} shown`];
  });
}

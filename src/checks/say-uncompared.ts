import type { Coverage } from './run.ts';

/** What could not be compared, by the reason, a sentence each. */
export function sayUncompared(coverage: readonly Coverage[]): string[] {
  const whys = new Set(coverage.flatMap(({ reasons }) => reasons.map(({ why }) => why)));
  return [...whys].map((why) => {
    const of = coverage.flatMap(({ code, reasons }) =>
      reasons.filter((reason) => reason.why === why).map(({ count }) => `${count} by ${code}`),
    );
    return `not comparable: ${of.join(', ')}: ${why}`;
  });
}

import { dayText } from './days.ts';
import { Purse } from './money.ts';

/** By district: dollars before and after the raise, and pounds that far places cost beside. */
const CARD: Record<string, readonly [before: bigint, after: bigint, pounds: bigint]> = {
  Beirut: [300n, 325n, 0n],
  Metn: [350n, 375n, 0n],
  Tyre: [450n, 500n, 0n],
  Tripoli: [425n, 450n, 0n],
  Akkar: [500n, 550n, 5_000_000n],
  Baalbek: [550n, 600n, 7_500_000n],
};
const RAISE = '2026-09-14';
/** What a return costs beside, from either date on. */
const RETURN_MORE = 125n;

export const DISTRICTS = Object.keys(CARD);
/** A district without a price. */
export const UNPRICED = 'Hermel';

/** What was agreed for a way on a day; what has no price costs what the courier likes. */
export function agreed(workflow: string, district: string, moment: number): Purse {
  const [before, after, pounds] = CARD[district] ?? [700n, 700n, 0n];
  const dollars = (dayText(moment) < RAISE ? before : after) + (workflow === 'RETURN' ? RETURN_MORE : 0n);
  const fee = Purse.of([['USD', dollars]]);
  return pounds === 0n ? fee : fee.add('LBP', pounds);
}

/** The rate card: a line a workflow, district, time and currency. */
export function cardText(): string {
  const rows = Object.entries(CARD).flatMap(([district, [before, after, pounds]]) =>
    ['STANDARD', 'RETURN'].flatMap((workflow) => {
      const more = workflow === 'RETURN' ? RETURN_MORE : 0n;
      const line = (from: string, to: string, currency: string, cents: bigint) =>
        `${workflow},${district},,,${from},${to},${currency},${cents / 100n}.${String(cents % 100n).padStart(2, '0')},`;
      return [['', '2026-09-13', before] as const, [RAISE, '', after] as const].flatMap(([from, to, cents]) => [
        line(from, to, 'USD', cents + more),
        ...(pounds === 0n ? [] : [line(from, to, 'LBP', pounds)]),
      ]);
    }),
  );
  return `workflow,district,area,merchant_location,from,to,currency,fee,per_package\n${rows.join('\n')}\n`;
}

export const RATES = 'date,from,to,rate\n2026-08-01,USD,LBP,89500\n2026-10-01,USD,LBP,89600\n';

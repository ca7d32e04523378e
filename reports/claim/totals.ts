import { ExactDecimal, parseAmount } from '../../src/money/decimal.ts';
import { formatAmount } from '../../src/money/format.ts';
import type { ClaimLine } from './line.ts';

/** A claim's sums in one currency. */
export interface ClaimTotal {
  readonly currency: string;
  /** Lines with an amount. */
  readonly count: number;
  readonly owed_to_us: string;
  readonly owed_by_us: string;
  /** What is owed to us less what we owe; negative if we owe more. */
  readonly net: string;
}

/** A claim's sums by currency, without what is only to be confirmed. */
export function claimTotals(lines: readonly Pick<ClaimLine, 'section' | 'currency' | 'claimed'>[]): ClaimTotal[] {
  return claimedCurrencies(lines).map((currency) => {
    const inCurrency = lines.filter((line) => line.currency === currency);
    const toUs = inCurrency.filter(({ section }) => section === 'owed-to-us');
    const byUs = inCurrency.filter(({ section }) => section === 'owed-by-us');
    const owedToUs = sumOf(toUs, ({ claimed }) => claimed);
    const owedByUs = sumOf(byUs, ({ claimed }) => claimed);
    return {
      currency,
      count: toUs.length + byUs.length,
      owed_to_us: formatAmount(owedToUs),
      owed_by_us: formatAmount(owedByUs),
      net: formatAmount(owedToUs.minus(owedByUs)),
    };
  });
}

/** The due and received amounts of a section's lines and the difference, which they claim, added up by currency. */
export function figureTotals(
  lines: readonly ClaimLine[],
): { readonly currency: string; readonly due: string; readonly received: string; readonly difference: string }[] {
  return claimedCurrencies(lines).map((currency) => {
    const inCurrency = lines.filter((line) => line.currency === currency);
    return {
      currency,
      due: formatAmount(sumOf(inCurrency, ({ due }) => due)),
      received: formatAmount(sumOf(inCurrency, ({ received }) => received)),
      difference: formatAmount(sumOf(inCurrency, ({ claimed }) => claimed)),
    };
  });
}

/** The currencies in which something is claimed, by name. */
export function claimedCurrencies(lines: readonly Pick<ClaimLine, 'section' | 'currency'>[]): string[] {
  const claimed = lines.filter(({ section }) => section !== 'confirm').flatMap(({ currency }) => currency ?? []);
  return [...new Set(claimed)].sort();
}

/** Decimal texts added up; a line without one adds nothing. */
export function sumOf<L>(lines: readonly L[], textOf: (line: L) => string | null): ExactDecimal {
  return lines.reduce((sum, line) => sum.plus(parseAmount(textOf(line) ?? '0')), new ExactDecimal(0));
}

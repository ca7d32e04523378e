import type { Row } from '../../../../reports/model.ts';
import { type ExactDecimal, formatGrouped, parseAmount } from '../../../money/index.ts';

/** What the effects of rows come to, a currency each. */
export function effectSums(rows: readonly Row[]): { readonly currency: string; readonly amount: string }[] {
  const sums = new Map<string, ExactDecimal>();
  for (const { effect, currency } of rows) {
    if (typeof effect !== 'string' || typeof currency !== 'string') continue;
    const amount = parseAmount(effect);
    sums.set(currency, sums.get(currency)?.plus(amount) ?? amount);
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, sum]) => ({ currency, amount: formatGrouped(sum) }));
}

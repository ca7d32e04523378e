import { ExactDecimal } from './decimal.ts';
import type { Money } from './units.ts';

/** An amount as a plain decimal with two decimals, or more if it has more: `1200` → `1200.00`, `0.125` → `0.125`. */
export function formatAmount(amount: ExactDecimal): string {
  return (amount.isZero() ? new ExactDecimal(0) : amount).toFixed(Math.max(2, amount.decimalPlaces()));
}

/** {@link formatAmount} with a comma between thousands, for people: `-1,234,567.50`. */
export function formatGrouped(amount: ExactDecimal): string {
  const [whole = '', decimals = ''] = formatAmount(amount).split('.');
  return `${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}.${decimals}`;
}

/** Amount and currency for a sentence: `1,234.50 USD`. */
export function formatMoney({ currency, amount }: Money): string {
  return `${formatGrouped(amount)} ${currency}`;
}

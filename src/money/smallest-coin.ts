import type { Units } from './units.ts';

/** The smallest coin of a currency: one cent of a dollar, one pound of Lebanon. Of a currency without a known one, 0.01. */
export function smallestCoin(currency: string): Units {
  return 10n ** BigInt(4 - Math.min(decimalsOf(currency), 4));
}

function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

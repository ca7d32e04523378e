import type { FoundMismatch } from '../../app/check-result.ts';
import { cleanText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';

type Figures = Pick<FoundMismatch, 'currency' | 'difference' | 'effect' | 'unit'>;

/**
 * What a mismatch is worth, on the line of its code: `short 38.25 USD`, `ahead 90.25 USD`; of one that moves no money the difference of
 * its two figures. The message says counts and days: beside a currency they would read as money.
 */
export function atStake({ currency, difference, effect, unit }: Figures): string {
  if (currency === null) return '';
  const money = (amount: string) => `${amountText(amount)} ${cleanText(currency, 20)}`;
  if (effect !== null) return `${effect.startsWith('-') ? 'short' : 'ahead'} ${money(effect.replace('-', ''))}`;
  return unit === 'money' && difference !== null ? `difference ${money(difference)}` : '';
}

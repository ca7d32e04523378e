import { styleText } from 'node:util';
import type { FoundGroup, FoundMismatch } from '../../app/check-result.ts';
import { cleanText, wrapText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';

const LONGEST = 1_000;
const NOUNS = { error: 'error', warning: 'warning', info: 'note' } as const;
const COLORS = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

type Shown = Omit<FoundMismatch, 'note'>;

/**
 * Mismatches by their causes, each with what is at stake, its check and its month, and the sentence of the first of them, which says
 * what to do.
 *
 * @param mismatches those of the groups, or as many of them as are known
 */
export function groupLines(
  groups: readonly FoundGroup[],
  mismatches: readonly Shown[],
  { color, width }: { readonly color: boolean; readonly width: number | undefined },
): string[] {
  const byId = new Map(mismatches.map((mismatch) => [mismatch.id, mismatch]));
  return groups.flatMap((group) => {
    const ofGroup = group.ids.flatMap((id) => byId.get(id) ?? []);
    const heading = [cleanText(group.cause, LONGEST), moneyOf(group, ofGroup)].filter(Boolean).join(' · ');
    const [first] = ofGroup;
    const paint = (text: string) => (color ? styleText(['bold', COLORS[group.severity]], text) : text);
    return [
      ...wrapText(heading, '', width).map(paint),
      ...wrapText(placeOf(group, ofGroup), '  ', width),
      ...(first
        ? wrapText(`${group.count > 1 ? 'such as: ' : ''}${cleanText(first.message, LONGEST)}`, '  ', width)
        : []),
    ];
  });
}

/** `short 69.00 USD` where it is an effect, `69.00 USD` where it is not. */
function moneyOf({ currency, amount }: FoundGroup, own: readonly Shown[]): string {
  if (amount === null || currency === null) return '';
  const isEffect = own.some(({ effect }) => effect !== null);
  if (!isEffect) return `${amountText(amount)} ${cleanText(currency, 20)}`;
  return `${amount.startsWith('-') ? 'short' : 'ahead'} ${amountText(amount.replace('-', ''))} ${cleanText(currency, 20)}`;
}

/** `warning  fee-no-tariff  2026-10  2 acknowledged` */
function placeOf({ severity, code, count }: FoundGroup, own: readonly Shown[]): string {
  const months = [...new Set(own.map(({ period }) => period))].sort();
  const acknowledged = own.filter(({ status }) => status === 'acknowledged').length;
  const order = count === 1 ? (own[0]?.order_id ?? null) : null;
  return [
    NOUNS[severity],
    code,
    months.length > 3 ? `${months[0]} to ${months.at(-1)}` : months.join(', '),
    order === null ? '' : `order ${cleanText(order, 80)}`,
    acknowledged === 0 ? '' : count === 1 ? 'acknowledged' : `${acknowledged} acknowledged`,
  ]
    .filter(Boolean)
    .join('  ');
}

type StakeFigures = Pick<FoundMismatch, 'currency' | 'difference' | 'effect' | 'unit'>;

/**
 * What a mismatch is worth, on the line of its code: `short 38.25 USD`, `ahead 90.25 USD`; of one that moves no money the difference of
 * its two figures. The message says counts and days: beside a currency they would read as money.
 */
export function atStake({ currency, difference, effect, unit }: StakeFigures): string {
  if (currency === null) return '';
  const money = (amount: string) => `${amountText(amount)} ${cleanText(currency, 20)}`;
  if (effect !== null) return `${effect.startsWith('-') ? 'short' : 'ahead'} ${money(effect.replace('-', ''))}`;
  return unit === 'money' && difference !== null ? `difference ${money(difference)}` : '';
}

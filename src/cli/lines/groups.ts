import { styleText } from 'node:util';
import type { FoundGroup, FoundMismatch } from '../../app/check-result.ts';
import { cleanText, wrapText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';
import { shortOrAhead } from './labels.ts';

const LONGEST = 1_000;
const NOUNS = { error: 'error', warning: 'warning', info: 'note' } as const;
const COLORS = { error: 'red', warning: 'yellow', info: 'cyan' } as const;

type ShownMismatch = Omit<FoundMismatch, 'note'>;

/**
 * Mismatches by cause: for each cause the money at stake, the check and the months, and the message of its first
 * mismatch, which says what to do.
 *
 * @param mismatches those of the groups, or some of them
 */
export function groupLines(
  groups: readonly FoundGroup[],
  mismatches: readonly ShownMismatch[],
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

/** `short 69.00 USD` for an effect, otherwise `69.00 USD`. */
function moneyOf({ currency, amount }: FoundGroup, mismatches: readonly ShownMismatch[]): string {
  if (amount === null || currency === null) return '';
  const isEffect = mismatches.some(({ effect }) => effect !== null);
  const currencyText = cleanText(currency, 20);
  return isEffect ? shortOrAhead(amount, currencyText) : `${amountText(amount)} ${currencyText}`;
}

/** `warning  fee-no-tariff  2026-10  2 acknowledged` */
function placeOf({ severity, code, count }: FoundGroup, mismatches: readonly ShownMismatch[]): string {
  const months = [...new Set(mismatches.map(({ period }) => period))].sort();
  const acknowledged = mismatches.filter(({ status }) => status === 'acknowledged').length;
  const order = count === 1 ? (mismatches[0]?.order_id ?? null) : null;
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
 * What a mismatch is worth: `short 38.25 USD`, `ahead 90.25 USD`, or the difference of its figures if it moves no
 * money. Counts and days are left to the message: next to a currency they would look like money.
 */
export function atStake({ currency, difference, effect, unit }: StakeFigures): string {
  if (currency === null) return '';
  const currencyText = cleanText(currency, 20);
  if (effect !== null) return shortOrAhead(effect, currencyText);
  return unit === 'money' && difference !== null ? `difference ${amountText(difference)} ${currencyText}` : '';
}

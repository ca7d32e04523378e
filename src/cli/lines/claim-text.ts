import type { DisputePlan } from '../../app/disputes/plan.ts';
import { type ClaimLine, claimTotals } from '../../app/disputes/sheet.ts';
import { counted } from '../../counted.ts';
import { amountText, countText } from '../../render/figures.ts';
import { cleanText } from '../../text.ts';
import { wrapText } from './wrap.ts';

/** Mail programs break longer lines themselves, and badly. */
const WIDTH = 76;

/** More than a screen of them is no help to who must answer. */
const MOST_SHOWN = 40;

/** A claim as the text of a mail: each line with its place, both figures and the days of its documents, and the sums by currency. */
export function claimText({ merchant, on, period, lines }: DisputePlan): string {
  const who = merchant === null ? 'Claim' : `Claim of ${cleanText(merchant, 100)}`;
  const about = period === '' ? '' : ` for ${period}`;
  return [
    ...wrapText(`${who}${about}, ${on}`, '', WIDTH),
    '',
    'We ask you to correct the following, or to tell us why it is right:',
    ...lines.flatMap((line, at) => ['', ...lineText(line, at + 1)]),
    '',
    ...totalText(lines),
  ].join('\n');
}

/** What a claim would hold, a line a finding, for the question whether to make it. */
export function planText(lines: readonly ClaimLine[]): string[] {
  const shown = lines.slice(0, MOST_SHOWN).map(({ id, invoice_number, order_id, ground, currency, effect }) => {
    const place = [
      invoice_number === null ? '' : `invoice ${invoice_number}`,
      order_id === null ? '' : `order ${cleanText(order_id, 80)}`,
      effect === null ? '' : `effect ${amountText(effect)} ${cleanText(currency ?? '', 20)}`,
    ].filter(Boolean);
    return `${id}  ${place.join('  ')}\n  ${ground}`;
  });
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more; --dry-run prints them all`] : []), ...totalText(lines)];
}

function lineText(line: ClaimLine, number: number): string[] {
  const { invoice_number, order_id, reference_id, ground, id, claimed_on } = line;
  const place = [
    invoice_number === null ? '' : `invoice ${invoice_number}`,
    order_id === null ? '' : `order ${cleanText(order_id, 80)}`,
    reference_id === null ? '' : `reference ${cleanText(reference_id, 80)}`,
  ].filter(Boolean);
  const [first, ...more] = wrapText(`${place.length > 0 ? `${upper(place.join(', '))}. ` : ''}${ground}`, '   ', WIDTH);
  return [
    `${`${number}.`.padEnd(3)}${first!.slice(number < 10 ? 3 : 2)}`,
    ...more,
    ...[...figureText(line), dateText(line)].filter(Boolean).flatMap((text) => wrapText(text, '   ', WIDTH)),
    `   Our number ${id}${claimed_on === null ? '' : `; claimed before on ${claimed_on}`}.`,
  ];
}

const FIELDS: Readonly<Record<string, string>> = {
  cod: 'COD',
  delivery_fee: 'Delivery fee',
  net_due_to_merchant: 'Net due',
  net: 'Net',
  order_count: 'Orders',
};

function figureText({ field, expected, actual, unit, currency, effect }: ClaimLine): string[] {
  const money = currency === null ? '' : ` ${cleanText(currency, 20)}`;
  const say = (figure: string | null) => {
    if (figure === null) return 'nothing';
    if (unit === 'money') return amountText(figure) + money;
    return unit === null ? cleanText(figure, 80) : `${countText(figure)}${unit === 'days' ? ' days' : ''}`;
  };
  const name = field === null ? '' : `${FIELDS[field] ?? upper(cleanText(field.replaceAll('_', ' '), 40))}: `;
  return [
    expected === null && actual === null
      ? ''
      : `${name === '' ? 'It' : `${name}it`} is ${say(actual)}; it should be ${say(expected)}.`,
    effect === null ? '' : `${effectText(effect)}${money}.`,
  ];
}

function effectText(effect: string): string {
  return effect.startsWith('-')
    ? `We are short ${amountText(effect.slice(1))}`
    : `Credited too much: ${amountText(effect)}`;
}

function dateText(line: ClaimLine): string {
  const dates = [
    ['invoice issued on', line.invoice_issued_on],
    ['received on', line.invoice_received_on],
    ['order delivered on', line.delivered_on],
    ['its record received on', line.order_received_on],
  ] as const;
  const said = dates.filter(([, day]) => day !== null).map(([words, day]) => `${words} ${day}`);
  return said.length === 0 ? '' : `${upper(said.join(', '))}.`;
}

/** What a claim comes to, a line a currency. */
export function totalText(lines: readonly ClaimLine[]): string[] {
  const sums = claimTotals(lines).map(({ currency, short, over }) => {
    const parts = [`short ${amountText(short)}`, ...(over === '0.00' ? [] : [`credited too much ${amountText(over)}`])];
    return `  ${cleanText(currency, 20)}: ${parts.join(', ')}`;
  });
  return [`In all, ${counted(lines.length, 'line')}${sums.length === 0 ? '.' : ':'}`, ...sums];
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

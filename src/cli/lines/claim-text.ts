import { type ClaimLine, claimTotals } from '../../app/disputes/claim-report.ts';
import type { DisputePlan } from '../../app/disputes/plan.ts';
import { counted } from '../../base/counted.ts';
import { cleanText } from '../../base/text.ts';
import { type LetterPart, type LetterPoint, letterOf } from '../../render/claim/letter.ts';
import { amountText } from '../../render/figures.ts';
import { ENGLISH, type Language } from '../../words/index.ts';
import { wrapText } from './wrap.ts';

/** Mail programs break longer lines themselves, and badly. */
const WIDTH = 76;

/** More than a screen of them is no help to who must answer. */
const MOST_SHOWN = 40;

/** A claim as the text of a mail: who asks, each point with its place and figures, what it comes to, and what is only to be confirmed. */
export function claimText(plan: DisputePlan, language: Language): string {
  const letter = letterOf(plan, language);
  const wrapped = (text: string) => wrapText(text, '', WIDTH);
  return [
    ...letter.from,
    letter.on,
    '',
    ...letter.to,
    '',
    ...wrapped(letter.heading),
    '',
    letter.salutation,
    '',
    ...wrapped(letter.opening),
    ...letter.owed.flatMap(partText),
    ...(letter.totals.length === 0 ? [] : ['', ...letter.totals.flatMap(wrapped)]),
    ...(letter.confirm === null ? [] : partText(letter.confirm)),
    ...(letter.returns === null ? [] : ['', ...wrapped(letter.returns)]),
    '',
    letter.closing,
    letter.from[0],
  ].join('\n');
}

function partText({ title, about, points, sums }: LetterPart): string[] {
  return [
    '',
    title.toUpperCase(),
    ...(about === null ? [] : wrapText(about, '', WIDTH)),
    ...points.flatMap((point) => ['', ...pointText(point)]),
    ...(sums.length === 0 ? [] : ['', ...sums.flatMap((sum) => wrapText(sum, '', WIDTH))]),
  ];
}

function pointText({ number, place, what, figures, before }: LetterPoint): string[] {
  const [first = '', ...more] = wrapText(`${place === '' ? '' : `${place}. `}${what}`, '    ', WIDTH);
  const rest = [figures, before].filter((text) => text !== null).flatMap((text) => wrapText(text, '    ', WIDTH));
  return [`${`${number}.`.padEnd(4)}${first.slice(4)}`, ...more, ...rest];
}

/** What a claim would hold, a line a point, for the question whether to make it. */
export function planText(lines: readonly ClaimLine[]): string[] {
  const { say } = ENGLISH;
  const shown = lines
    .slice(0, MOST_SHOWN)
    .map(({ id, section, invoice_number, invoice_number_text, order_id, what, currency, claimed }) => {
      const place = [
        say({ id: 'claim-section', section }),
        invoice_number === null ? '' : `invoice ${cleanText(invoice_number_text ?? String(invoice_number), 40)}`,
        order_id === null ? '' : `order ${cleanText(order_id, 80)}`,
        section === 'confirm' ? '' : `${amountText(claimed)} ${cleanText(currency ?? '', 20)}`,
      ].filter(Boolean);
      return `${id === null ? '' : `${id}  `}${place.join('  ')}\n  ${say(what)}`;
    });
  const more = lines.length - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [`and ${more} more; --dry-run prints them all`] : []),
    `In all, ${counted(lines.length, 'line')}.`,
    ...claimTotals(lines).map(({ count: _, ...total }) => `  ${say({ id: 'claim-total', ...total })}`),
  ];
}

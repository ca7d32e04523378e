import { type ClaimLine, claimTotals } from '../../app/disputes/claim-report.ts';
import { counted } from '../../base/counted.ts';
import { cleanText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';
import { ENGLISH } from '../../words/index.ts';

/** More than a screen of them is no help to who must answer. */
const MOST_SHOWN = 40;

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

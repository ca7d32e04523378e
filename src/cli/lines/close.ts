import type { ClosedMonth } from '../../app/close/close.ts';
import type { Refusal } from '../../app/close/refusals.ts';
import type { ReopenedMonth } from '../../app/close/reopen.ts';
import { counted } from '../../counted.ts';
import { amountText } from '../../render/figures.ts';
import { cleanText } from '../../text.ts';

/** A month that was closed, for a person. */
export function closedLines(closed: ClosedMonth): string[] {
  const { period, by, figures, figures_sha256, chain_head, with_open, not_checked } = closed;
  const { counts, totals, roll_forward } = figures;
  const lines = [
    `${period} is closed by ${cleanText(by)}: ${counted(counts.invoices, 'invoice')}, ${counted(counts.orders, 'row')}`,
  ];
  const currencies = [...new Set([...totals, ...roll_forward].map(({ currency }) => currency))].sort();
  for (const currency of currencies) {
    const total = totals.find((line) => line.currency === currency);
    const balance = roll_forward.find((line) => line.currency === currency);
    const due = total ? `net due ${amountText(total.net_due_to_merchant)}, paid ${amountText(total.paid)}, ` : '';
    lines.push(`  ${currency}  ${due}closing balance ${amountText(balance?.closing ?? '0.00')}`);
  }
  if (with_open) {
    lines.push(
      `  closed with ${counted(with_open.findings.length, 'open error')}: ${cleanText(with_open.reason, 400)}`,
    );
  }
  if (not_checked.length > 0) lines.push(`  without: ${not_checked.map(({ code }) => code).join(', ')}`);
  return [...lines, `  figures  ${figures_sha256}`, `  chain    ${chain_head}`];
}

/** A month that is open again. */
export function reopenedLines({ period, by, reason, resolved, chain_head }: ReopenedMonth): string[] {
  const ended =
    resolved === 0 ? '' : `; ${resolved} of its changed figures ${resolved === 1 ? 'is' : 'are'} settled with it`;
  return [
    `${period} is open again, by ${cleanText(by)}: ${cleanText(reason, 400)}${ended}`,
    `  chain    ${chain_head}`,
  ];
}

/** Why not, and what to do: a line a reason. */
export function refusedLines(what: string, reasons: readonly Refusal[]): string[] {
  return [what, ...reasons.map(({ why, remedy }) => `  - ${cleanText(why, 600)}. ${cleanText(remedy, 300)}`.trimEnd())];
}

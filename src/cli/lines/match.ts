import type { AddedMatch } from '../../app/match/by-hand.ts';
import type { MatchReport } from '../../app/match/index.ts';
import { amountText } from '../../render/figures.ts';
import { cleanText } from '../../text.ts';

/** What is matched and what is not, for a person. */
export function matchLines({ matches, ambiguous, unmatched }: MatchReport): string[] {
  const lines = matches.map((match) => {
    const { id, rule, receipts, invoices, currency, receipts_amount, difference, difference_kind, evidence } = match;
    const off = difference === '0.00' ? '' : `, ${amountText(difference)} ${difference_kind ?? 'apart'}`;
    const name = id === null ? '   new' : String(id).padStart(6);
    return `${name}  ${rule.padEnd(16)}  receipt ${receipts.join(', ')} → invoice ${invoices.join(', ') || 'none'}  ${amountText(receipts_amount)} ${currency}${off}  ${cleanText(evidence, 120)}`;
  });
  for (const { receipt, currency, amount, ways, too_many } of ambiguous) {
    const shown = ways.map((way) => way.join(' + ')).join(' | ');
    lines.push(
      `ambiguous  receipt ${receipt}, ${amountText(amount)} ${currency}: ${shown}${too_many ? ' | too many ways' : ''}`,
    );
  }
  if (unmatched.receipts.length > 0) lines.push(`unmatched receipts: ${unmatched.receipts.join(', ')}`);
  if (unmatched.invoices.length > 0) lines.push(`unmatched invoices: ${unmatched.invoices.join(', ')}`);
  return lines.length > 0 ? lines : ['nothing to match'];
}

/** A match that a person made. */
export function addedLine({
  receipt,
  invoices,
  currency,
  receipts_amount,
  difference,
  difference_kind,
}: AddedMatch): string {
  const rest = difference_kind === null ? '' : `, ${amountText(difference)} of it ${difference_kind}`;
  return `receipt ${receipt} is matched to invoice ${invoices.join(', ')}: ${amountText(receipts_amount)} ${currency}${rest}`;
}

import { type ClaimLine, claimedEffect, claimTotals, effectNow } from '../../app/disputes/claim-report.ts';
import type { ClaimSum, CouriersClaim, ShownClaim } from '../../app/disputes/list.ts';
import type { LeftOutMismatch } from '../../app/disputes/plan.ts';
import { counted } from '../../base/counted.ts';
import { cleanText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';
import { ENGLISH } from '../../words/index.ts';
import { subjectsOf, whoseLabels } from './labels.ts';
import { claimEventLine, claimWords } from './mismatches.ts';

/** Whoever must answer the question reads no more than a screen of lines. */
const MOST_SHOWN = 40;

/** What a claim would have in it, shown before the question whether to make it. */
export function planText(lines: readonly ClaimLine[]): string[] {
  const { say } = ENGLISH;
  const shownLines = lines
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
  const more = lines.length - shownLines.length;
  return [
    ...shownLines,
    ...(more > 0 ? [`and ${more} more; --dry-run prints them all`] : []),
    `In all, ${counted(lines.length, 'line')}.`,
    ...claimTotals(lines).map(({ count: _, ...total }) => `  ${say({ id: 'claim-total', ...total })}`),
  ];
}

const LEFT_OUT_WORDS: Readonly<Record<LeftOutMismatch['why'], string>> = {
  claimed: '--again takes it too',
  resolved: 'it is resolved; `remit mismatch reopen` opens it again',
  ours: 'nothing of it is asked of the delivery company',
  favour: 'you are not short by it',
  covered: 'the receipts show that nothing of it is owed any more',
  balanced: 'another finding of the same amount offsets it',
  'same-money': 'another finding claims the same money',
};

const MOST_LEFT_OUT = 10;

/** The first few mismatches that a claim leaves out, each with why. @param zone the time zone of the days */
export function leftOutLines(left: readonly LeftOutMismatch[], zone: string): string[] {
  const lines = left.slice(0, MOST_LEFT_OUT).map(({ mismatch: { id, code }, claim, why }) => {
    const state = why === 'claimed' && claim ? ` is ${claimWords(claim, zone)}` : ` (${code}) is left out`;
    return `${id}${state}: ${LEFT_OUT_WORDS[why]}`;
  });
  return left.length > MOST_LEFT_OUT ? [...lines, `and ${left.length - MOST_LEFT_OUT} more`] : lines;
}

/**
 * Claims, one line each, and their sums.
 *
 * @param claims those in a decision's answer have no `courier`, and not what is owed `now`
 * @param zone the time zone of the days
 */
export function claimLines(
  claims: readonly (Omit<CouriersClaim, 'courier' | 'now'> & Partial<Pick<CouriersClaim, 'courier' | 'now'>>)[],
  totals: readonly ClaimSum[],
  zone: string,
): string[] {
  const whose = whoseLabels(claims);
  return [
    ...claims.map(({ courier, mismatch, claim, now = null }) => {
      const { id, code, period, currency } = mismatch;
      const was = claimedEffect(claim);
      // The finding of a mended claim is gone.
      const owedNow = claim.state === 'mended' ? null : now;
      const parts = [
        id,
        code,
        period,
        ...subjectsOf(mismatch),
        was === null ? 'asked to confirm' : `claimed ${amountText(was)} ${cleanText(currency ?? '', 20)}`,
        was !== null && owedNow !== null && owedNow !== was ? `now ${amountText(owedNow)}` : '',
        claimWords(claim, zone),
      ];
      return whose({ courier }) + parts.filter(Boolean).join('  ');
    }),
    counted(claims.length, 'claim'),
    ...totals.map(({ courier, state, currency, count, claimed, now }) => {
      const change = now === claimed ? '' : `, now ${amountText(now)}`;
      return `  ${whose({ courier })}${state}: ${count}, ${amountText(claimed)} ${cleanText(currency, 20)}${change}`;
    }),
  ];
}

/** One claim: the amount claimed, its effect now, and its history. @param zone the time zone of the days */
export function claimShownLines({ mismatch, claim, claim_history }: ShownClaim, zone: string): string[] {
  const { id, code, status, message, currency } = mismatch;
  const money = (amount: string | null) =>
    amount === null ? 'nothing' : `${amountText(amount)} ${cleanText(currency ?? '', 20)}`;
  const lines = [`${id}  ${code}  ${status}`, `  ${cleanText(message, 1_000)}`];
  if (claim !== null) {
    const claimed = `claimed ${money(claimedEffect(claim))}, line ${claim.line} of the claim`;
    lines.push(`  ${claimWords(claim, zone)}`, `  ${claimed}; its effect now ${money(effectNow(mismatch))}`);
  } else if (claim_history.length === 0) lines.push('  never claimed');
  return [...lines, ...claim_history.map(claimEventLine)];
}

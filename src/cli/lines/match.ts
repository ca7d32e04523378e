import type { AddedMatch } from '../../app/match/by-hand.ts';
import type { MatchReport } from '../../app/match/report-matches.ts';
import { suggestionText } from '../../app/match/suggested-payers.ts';
import type { Settled } from '../../app/settle/settle.ts';
import { cleanText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';
import { whoseLabels } from './labels.ts';

export function matchLines({ matches, ambiguous, unmatched, suggested_payers }: MatchReport): string[] {
  const whose = whoseLabels(matches, ambiguous, unmatched.couriers ?? []);
  const lines = [
    ...matches.map((match) => `${whose(match)}${matchText(match)}`),
    ...ambiguous.map((ambiguity) => `${whose(ambiguity)}${ambiguityText(ambiguity)}`),
  ];
  // Of several couriers each has a list of its own, and a suggestion names its courier.
  const isOfSeveral = unmatched.couriers !== undefined;
  for (const { courier, ...left } of unmatched.couriers ?? [{ courier: null, ...unmatched }]) {
    const label = whose({ courier });
    if (left.receipts.length > 0) lines.push(`${label}unmatched receipts: ${left.receipts.join(', ')}`);
    if (left.invoices.length > 0) lines.push(`${label}unmatched invoices: ${namesText(left.invoices_text, ', ')}`);
  }
  for (const { courier = null, ...payer } of suggested_payers) {
    lines.push(suggestionText(payer, isOfSeveral ? courier : null));
  }
  return lines.length > 0 ? lines : ['nothing to match'];
}

function matchText(match: MatchReport['matches'][number]): string {
  const { id, rule, receipts, currency, receipts_amount, difference, difference_kind, evidence } = match;
  const invoices = match.invoices_text;
  // For money taken back the difference is the whole amount, which need not be repeated.
  const needsNoDifference = difference === '0.00' || rule === 'taken-back';
  const off = needsNoDifference ? '' : `, ${differenceText(difference, difference_kind, invoices.length)}`;
  const name = id === null ? '   new' : String(id).padStart(6);
  const amount = `${amountText(receipts_amount)} ${currency}${paidText(match)}${off}`;
  const pair = `receipt ${receipts.join(', ')} → invoice ${namesText(invoices, ', ') || 'none'}`;
  return [name, rule.padEnd(16), pair, amount, cleanText(evidence, 120)].join('  ');
}

function ambiguityText(ambiguity: MatchReport['ambiguous'][number]): string {
  const { receipt, currency, amount, ways_text, too_many, couriers } = ambiguity;
  const waysText = couriers ? `may be from ${couriers.join(' and ')}` : distinctWays(ways_text).join(' | ');
  return `ambiguous  receipt ${receipt}, ${amountText(amount)} ${currency}: ${waysText}${too_many ? ' | too many ways' : ''}`;
}

/** For a receipt in another currency, what came in: ` (4,450,000.00 LBP at 89000)`; else empty. */
function paidText(paid: Pick<AddedMatch, 'rate' | 'paid_currency' | 'paid_amount'>): string {
  return paid.rate === null ? '' : ` (${amountText(paid.paid_amount!)} ${paid.paid_currency} at ${paid.rate})`;
}

/** The numbers of invoices, which for payouts are texts from outside. */
function namesText(names: readonly string[], separator: string): string {
  return names.map((name) => cleanText(name, 60)).join(separator);
}

function differenceText(difference: string, kind: string | null, invoices: number): string {
  const [amount, than] = difference.startsWith('-') ? [difference.slice(1), 'less'] : [difference, 'more'];
  const kindText = kind === null ? '' : ` (${kind})`;
  return `${amountText(amount)} ${than} than the ${invoices === 1 ? 'invoice' : 'invoices'}${kindText}`;
}

/**
 * The ways in which a receipt may pay, by their invoices. Two ways may pay the same invoice, each together with another
 * receipt: `10041 (2 ways, beside other receipts)`.
 */
function distinctWays(ways: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>();
  for (const way of ways) {
    const invoices = way.length === 0 ? 'no invoice' : namesText(way, ' + ');
    counts.set(invoices, (counts.get(invoices) ?? 0) + 1);
  }
  return [...counts].map(([invoices, count]) =>
    count === 1 ? invoices : `${invoices} (${count} ways, beside other receipts)`,
  );
}

export function addedLine(added: AddedMatch): string {
  const { receipt, currency, receipts_amount, difference, difference_kind } = added;
  const invoices = added.invoices_text;
  const off = difference_kind === null ? '' : `, ${differenceText(difference, difference_kind, invoices.length)}`;
  const amount = `${amountText(receipts_amount)} ${currency}${paidText(added)}${off}`;
  return `receipt ${receipt} is matched to invoice ${namesText(invoices, ', ')}: ${amount}`;
}

export function settledLine({ id, invoice_number_text: number, currency, amount, kind, open }: Settled): string {
  const what = `${amountText(amount)} ${currency} of invoice ${cleanText(number, 60)} as ${kind}`;
  return `settlement ${id}: ${what}; ${amountText(open)} ${currency} is still open`;
}

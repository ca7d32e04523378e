import type { ClaimSum, ShownClaim } from '../../app/disputes/list.ts';
import type { LeftOut } from '../../app/disputes/plan.ts';
import type { Claimed } from '../../app/mismatches/list.ts';
import { counted } from '../../counted.ts';
import { amountText } from '../../render/figures.ts';
import { cleanText } from '../../text.ts';
import { claimWords } from './mismatches.ts';

const LEFT_WORDS: Readonly<Record<LeftOut['why'], string>> = {
  claimed: '--again takes it too',
  resolved: 'it is resolved; `remit mismatch reopen` opens it again',
  ours: 'nothing of it is asked of the delivery company',
  favour: 'you are not short by it',
};

/** What a claim leaves out: each that was named, and those of a filter that were claimed already, a few of them. */
export function leftOutLines(left: readonly LeftOut[], most = 10): string[] {
  const lines = left.slice(0, most).map(({ mismatch: { id, code }, claim, why }) => {
    const state = why === 'claimed' && claim ? ` is ${claimWords(claim)}` : ` (${code}) is left out`;
    return `${id}${state}: ${LEFT_WORDS[why]}`;
  });
  return left.length > most ? [...lines, `and ${left.length - most} more`] : lines;
}

/** Claims, a line each, and what they come to. */
export function claimLines(claims: readonly Claimed[], totals: readonly ClaimSum[]): string[] {
  return [
    ...claims.map(({ mismatch: { id, code, period, invoice_number, order_id, currency, effect }, claim }) =>
      [
        id,
        code,
        period,
        invoice_number === null ? '' : `invoice ${invoice_number}`,
        order_id === null ? '' : `order ${cleanText(order_id, 80)}`,
        claim.effect === null ? '' : `claimed ${amountText(claim.effect)} ${cleanText(currency ?? '', 20)}`,
        claim.state !== 'mended' && effect !== null && effect !== claim.effect ? `now ${amountText(effect)}` : '',
        claimWords(claim),
      ]
        .filter(Boolean)
        .join('  '),
    ),
    counted(claims.length, 'claim'),
    ...totals.map(
      ({ state, currency, count, claimed, now }) =>
        `  ${state}: ${count}, ${amountText(claimed)} ${cleanText(currency, 20)}${now === claimed ? '' : `, now ${amountText(now)}`}`,
    ),
  ];
}

/** One claim: what was claimed, what it comes to now, and what became of it. */
export function claimShownLines({ mismatch, claim, claim_history }: ShownClaim): string[] {
  const { id, code, status, message, currency, effect } = mismatch;
  const money = (amount: string | null) =>
    amount === null ? 'nothing' : `${amountText(amount)} ${cleanText(currency ?? '', 20)}`;
  return [
    `${id}  ${code}  ${status}`,
    `  ${cleanText(message, 1_000)}`,
    ...(claim === null
      ? ['  never claimed']
      : [`  ${claimWords(claim)}`, `  claimed ${money(claim.effect)}; its finding comes to ${money(effect)}`]),
    ...claim_history.map(claimEventLine),
  ];
}

/** A turn in a claim's life: `2026-11-25T09:00:00.000Z  answered (refused) by Rana: ...` */
export function claimEventLine({ at, actor, state, answer, note }: ShownClaim['claim_history'][number]): string {
  const said = answer === null ? '' : ` (${answer})`;
  const why = note === null ? '' : `: ${cleanText(note, 400)}`;
  return `${at}  ${state.replaceAll('-', ' ')}${said} by ${cleanText(actor)}${why}`;
}

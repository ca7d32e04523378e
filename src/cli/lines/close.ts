import type { ClosedMonth, closeJson, RefusedClose } from '../../app/close/close.ts';
import { Objection } from '../../app/close/objection.ts';
import type { ReopenedMonth } from '../../app/close/reopen.ts';
import { counted } from '../../base/counted.ts';
import { cleanText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';

export function closedLines(closed: Exclude<ReturnType<typeof closeJson>, RefusedClose>): string[] {
  const couriers = 'couriers' in closed ? closed.couriers : [closed];
  const isOne = couriers.length === 1;
  const lines = couriers.flatMap((part) => [...(isOne ? [] : [`${part.courier}:`]), ...courierLines(closed, part)]);
  return [...lines, `  chain    ${closed.chain_head}`];
}

function courierLines({ period, by }: Pick<ClosedMonth, 'period' | 'by'>, part: ClosedMonth['couriers'][number]) {
  const { figures, figures_sha256, with_open, not_checked } = part;
  const { counts, totals, roll_forward } = figures;
  const lines = [
    `${period} is closed by ${cleanText(by)}: ${counted(counts.invoices, 'invoice')}, ${counted(counts.orders, 'row')}`,
  ];
  const currencies = [...new Set([...totals, ...roll_forward].map(({ currency }) => currency))].sort();
  for (const currency of currencies) {
    const balance = roll_forward.find((line) => line.currency === currency);
    lines.push(`  ${currency}  ${balance ? balanceText(balance) : 'closing balance 0.00'}`);
  }
  if (with_open) {
    lines.push(
      `  closed with what is open: ${cleanText(with_open.reason, 400)}`,
      ...with_open.reasons.map(({ why }) => `    ${cleanText(why, 600)}`),
    );
  }
  if (not_checked.length > 0) lines.push(`  without: ${not_checked.map(({ code }) => code).join(', ')}`);
  return [...lines, `  figures  ${figures_sha256}`];
}

const FLOW_LABELS = {
  invoiced: 'invoiced',
  restated: 'restated',
  vanished: 'vanished or back',
  received: 'received',
  unallocated: 'unallocated receipts',
  differences: 'agreed differences',
  already_paid: 'marked paid when first seen',
  seen_paid: 'marked paid',
} as const;

/** From the opening balance to the closing one, without zeros. */
function balanceText(balance: ClosedMonth['couriers'][number]['figures']['roll_forward'][number]): string {
  const flows = (Object.keys(FLOW_LABELS) as (keyof typeof FLOW_LABELS)[]).filter((flow) => balance[flow] !== '0.00');
  return [
    `opening balance ${amountText(balance.opening)}`,
    ...flows.map((flow) => `${FLOW_LABELS[flow]} ${amountText(balance[flow])}`),
    `closing balance ${amountText(balance.closing)}`,
  ].join(', ');
}

export function reopenedLines({ period, by, reason, resolved, chain_head }: ReopenedMonth): string[] {
  const ended =
    resolved === 0 ? '' : `; ${resolved} of its changed figures ${resolved === 1 ? 'is' : 'are'} settled with it`;
  return [
    `${period} is open again, by ${cleanText(by)}: ${cleanText(reason, 400)}${ended}`,
    `  chain    ${chain_head}`,
  ];
}

/** The reasons of a refusal, one line each, with what to do. @param what the first line */
export function refusedLines(what: string, reasons: readonly Objection[]): string[] {
  return [
    what,
    ...Objection.joinAlike(reasons).map(({ why, remedy }) =>
      `  - ${cleanText(why, 600)}. ${cleanText(remedy, 300)}`.trimEnd(),
    ),
  ];
}

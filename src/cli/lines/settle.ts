import type { ListedSettlement } from '../../app/settle/list.ts';
import type { PlannedLine, Settled } from '../../app/settle/settle.ts';
import { dayIn } from '../../base/day.ts';
import { cleanText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';
import { whoseLabels } from './whose.ts';

/** What would be settled. */
export function plannedLine(
  { invoice_number_text: number, currency, amount, open }: PlannedLine,
  kind: string,
): string {
  return `invoice ${cleanText(number, 60)}: ${amountText(amount)} ${currency} as ${kind}, of ${amountText(open)} open`;
}

/** What was settled. */
export function settledLine({ id, invoice_number_text: number, currency, amount, kind, open }: Settled): string {
  return `settlement ${id}: ${amountText(amount)} ${currency} of invoice ${cleanText(number, 60)} as ${kind}; ${amountText(open)} ${currency} is still open`;
}

/** Settlements, a line each, with the days of a time zone. */
export function settlementLines(settlements: readonly ListedSettlement[], zone: string): string[] {
  if (settlements.length === 0) return ['nothing was settled without a receipt'];
  const whose = whoseLabels(settlements);
  return settlements.map(
    ({ courier, id, at, by, invoice_number_text: number, currency, amount, kind, note, ...undone }) => {
      const about = number === null ? `mismatch ${undone.claim}` : `invoice ${cleanText(number, 60)}`;
      const end =
        undone.undone_at === null
          ? ''
          : `; undone on ${dayIn(undone.undone_at, zone)} by ${undone.undone_by}: ${cleanText(undone.undone_reason ?? '', 120)}`;
      return `${whose({ courier })}${String(id).padStart(6)}  ${dayIn(at, zone)}  ${about}  ${amountText(amount)} ${currency}  ${kind}  ${undone.command}  ${by}: ${cleanText(note, 120)}${end}`;
    },
  );
}

import type { PlannedLine, Settled } from '../../app/settle/settle.ts';
import { cleanText } from '../../base/text.ts';
import { amountText } from '../../render/figures.ts';

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

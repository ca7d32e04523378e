import { dayNumber } from '../base/day.ts';
import { groupBy } from '../base/group.ts';
import { compareText } from '../base/text.ts';
import { plainText } from '../imports/plain-text.ts';
import type { Units } from '../money/units.ts';

/** A line of a bank account or cash book. `whose`: why it is the courier's; null if nothing says so. */
export interface PayerLine {
  readonly date: string;
  readonly currency: string;
  readonly amount: Units;
  readonly text: string;
  readonly counterparty: string | null;
  readonly whose: 'payer' | 'invoice' | 'account' | null;
}

/** An invoice's net in one currency. */
export interface PaidInvoice {
  readonly date: string;
  readonly currency: string;
  readonly net: Units;
}

export interface SuggestedPayer {
  /** The counterparty, or else words of the text. */
  readonly name: string;
  /** The number of its lines that name an invoice, or are an invoice's net within `match_days` after its date. */
  readonly lines: number;
}

/** Finds counterparties that may be the courier: their lines match invoices. The most lines first. */
export function suggestPayers(
  lines: readonly PayerLine[],
  invoices: readonly PaidInvoice[],
  matchDays: number,
): SuggestedPayer[] {
  const invoicesByNet = groupBy(invoices, ({ currency, net }) => `${net} ${currency}`);
  const matches = ({ date, currency, amount, whose }: PayerLine) =>
    whose === 'invoice' ||
    (invoicesByNet.get(`${amount} ${currency}`) ?? []).some((invoice) => {
      const daysAfter = dayNumber(date) - dayNumber(invoice.date);
      return daysAfter >= 0 && daysAfter <= matchDays;
    });
  const candidates = lines.filter(({ amount, whose }) => amount > 0n && (whose === null || whose === 'invoice'));
  const byName = groupBy(candidates, (line) => plainText(nameOf(line)));
  return [...byName]
    .flatMap(([key, itsLines]) => {
      const count = itsLines.filter(matches).length;
      // The courier's lines already, because each names an invoice: no setting is missing.
      const isCouriers = itsLines.every(({ whose }) => whose === 'invoice');
      if (key === '' || count === 0 || isCouriers) return [];
      return [{ name: nameOf(itsLines[0]!), lines: count }];
    })
    .sort((a, b) => b.lines - a.lines || compareText(a.name, b.name));
}

/**
 * A line's counterparty, or else the longest words in its text between numbers and signs: `TRF 4711/Cedar Express SAL
 * 0098` gives `Cedar Express SAL`.
 */
function nameOf({ counterparty, text }: PayerLine): string {
  const parts = counterparty?.trim() ? [counterparty] : text.split(/[\p{N}#/.,:;()-]+/gu);
  const names = parts.map((words) => words.replace(/\s+/g, ' ').trim());
  return names.reduce((longest, name) => (name.length > longest.length ? name : longest), '');
}

import { dayNumber } from '../base/day.ts';
import { groupBy } from '../base/group.ts';
import { compareText } from '../base/text.ts';
import { plainText } from '../imports/plain-text.ts';
import type { Units } from '../money/units.ts';

/** A line of a bank account or cash book, and why it is the courier's; null where nothing says so. */
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

/** Somebody who may be the courier. */
export interface SuggestedPayer {
  /** The counterparty, else words of the text. */
  readonly name: string;
  /** How many lines of theirs name an invoice, or are one's net within `match_days` after its date. */
  readonly lines: number;
}

/** Those whose lines match invoices and are not known as the courier's, the most lines first. @param matchDays `match_days` */
export function suggestPayers(
  lines: readonly PayerLine[],
  invoices: readonly PaidInvoice[],
  matchDays: number,
): SuggestedPayer[] {
  const days = groupBy(invoices, ({ currency, net }) => `${net} ${currency}`);
  const matches = ({ date, currency, amount, whose }: PayerLine) =>
    whose === 'invoice' ||
    (days.get(`${amount} ${currency}`) ?? []).some((invoice) => {
      const after = dayNumber(date) - dayNumber(invoice.date);
      return after >= 0 && after <= matchDays;
    });
  const unknown = lines.filter(({ amount, whose }) => amount > 0n && (whose === null || whose === 'invoice'));
  const byName = groupBy(unknown, (line) => plainText(nameOf(line)));
  return [...byName]
    .flatMap(([key, own]) => {
      const count = own.filter(matches).length;
      if (key === '' || count === 0 || own.every(({ whose }) => whose === 'invoice')) return [];
      return [{ name: nameOf(own[0]!), lines: count }];
    })
    .sort((a, b) => b.lines - a.lines || compareText(a.name, b.name));
}

/** A line's counterparty, else the longest words of its text between numbers and what joins them: a payer is found as it stands. */
function nameOf({ counterparty, text }: PayerLine): string {
  const said = counterparty?.trim() ? [counterparty] : text.split(/[\p{N}#/.,:;()-]+/gu);
  const names = said.map((words) => words.replace(/\s+/g, ' ').trim());
  return names.reduce((longest, name) => (name.length > longest.length ? name : longest), '');
}

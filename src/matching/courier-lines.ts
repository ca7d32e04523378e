import { dayNumber } from '../base/day.ts';
import { groupBy } from '../base/group.ts';
import { compareText } from '../base/text.ts';
import { plainText } from '../imports/formats/text-forms.ts';
import { namedNumbers } from './invoice-numbers.ts';
import type { Invoice } from './model.ts';

/** The settings by which a line is recognised as the courier's: `[receipts]` in remit.toml. */
export interface PayerRule {
  /** Words of a line's text or counterparty, and account numbers. */
  readonly payers: readonly string[];
  /** Accounts of which every line is the courier's. */
  readonly accounts: readonly string[];
}

/** The part of a bank or cash book line by which it is recognised. */
export interface WhoseLine {
  readonly text: string;
  readonly counterparty: string | null;
  readonly counterparty_account: string | null;
  readonly reference: string | null;
  /** The cash book's own column for the invoice. */
  readonly invoice: string | null;
  readonly account: string | null;
  readonly amount: bigint;
}

/**
 * Makes a function that says why a line is the courier's by these settings, or null if nothing says so:
 * - `payer`: its text or counterparty has the words of a payer, or the money came from or went to a payer's account.
 * - `invoice`: it names an invoice. This counts only if money came in: a debit that names one pays somebody else.
 * - `account`: it is in an account with lines of the courier alone.
 *
 * @param isInvoice whether a number is an invoice's
 */
export function whoseLine({ payers, accounts }: PayerRule, isInvoice: (number: number) => boolean) {
  const words = payers.map(plainText).filter((word) => word !== '');
  const payerAccounts = new Set(payers.map(accountKey));
  const courierAccounts = new Set(accounts.map(accountKey));
  return (line: WhoseLine): 'payer' | 'invoice' | 'account' | null => {
    const lineText = plainText(`${line.text} ${line.counterparty ?? ''}`);
    if (words.some((word) => holdsWords(lineText, word))) return 'payer';
    if (line.counterparty_account !== null && payerAccounts.has(accountKey(line.counterparty_account))) return 'payer';
    if (line.amount > 0n && namesInvoice(line, isInvoice)) return 'invoice';
    return line.account !== null && courierAccounts.has(accountKey(line.account)) ? 'account' : null;
  };
}

function namesInvoice({ text, reference, invoice }: WhoseLine, isInvoice: (number: number) => boolean): boolean {
  // In the column for invoices, also a short number or a year (`weak`) is meant as one.
  const inColumn = namedNumbers(invoice ?? '', isInvoice);
  const inText = namedNumbers(`${text} ${reference ?? ''}`, isInvoice);
  return inColumn.strong.length + inColumn.weak.length + inText.strong.length > 0;
}

/** Whether a text has these words as whole words: `cedar` is not in `cedarwood`. Both come from `plainText`. */
function holdsWords(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    const before = text.slice(0, at);
    const after = text.slice(at + words.length);
    if (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}]/u.test(after)) return true;
  }
  return false;
}

/** Whether the settings say that every line of the account is the courier's. */
export function isCourierAccount({ accounts }: Pick<PayerRule, 'accounts'>, account: string | null): boolean {
  return account !== null && accounts.some((each) => accountKey(each) === accountKey(account));
}

/** `LB62 0999-0001` is `LB6209990001`. */
function accountKey(account: string): string {
  return account.replace(/[\s-]/g, '').toUpperCase();
}

/** The texts of a line that may name a payout. */
type NamingLine = Pick<WhoseLine, 'text' | 'reference' | 'invoice'>;

/**
 * Makes a function that adds to a line's reference the integers of the payouts that the line names: a line with
 * `ES-902` in its text gets the reference `#900000001`. The rules find invoices by integers alone.
 *
 * @param texts the payouts' numbers (`ES-902`) by the integer that stands for each
 */
export function namingPayouts(texts: ReadonlyMap<number, string>): <L extends NamingLine>(line: L) => L {
  if (texts.size === 0) return (line) => line;
  const payouts = [...texts].map(([number, text]) => ({ number, words: plainText(text) }));
  return (line) => {
    const lineText = plainText(`${line.text} ${line.reference ?? ''} ${line.invoice ?? ''}`);
    const numbers = payouts.filter(({ words }) => holdsWords(lineText, words)).map(({ number }) => `#${number}`);
    return numbers.length === 0 ? line : { ...line, reference: [line.reference ?? '', ...numbers].join(' ').trim() };
  };
}

/** A line of a bank account or cash book. `whose`: why it is the courier's; null if nothing says so. */
export interface PayerLine extends Pick<WhoseLine, 'amount' | 'text' | 'counterparty'> {
  readonly date: string;
  readonly currency: string;
  readonly whose: 'payer' | 'invoice' | 'account' | null;
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
  invoices: readonly Pick<Invoice, 'date' | 'currency' | 'net'>[],
  matchDays: number,
): SuggestedPayer[] {
  const invoicesByNet = groupBy(invoices, ({ currency, net }) => `${net} ${currency}`);
  const matches = ({ date, currency, amount, whose }: PayerLine) =>
    whose === 'invoice' ||
    (invoicesByNet.get(`${amount} ${currency}`) ?? []).some((invoice) => {
      const daysAfter = dayNumber(date) - dayNumber(invoice.date);
      return daysAfter >= 0 && daysAfter <= matchDays;
    });
  // Lines of known payers and accounts suggest nobody.
  const candidates = lines.filter(({ amount, whose }) => amount > 0n && (whose === null || whose === 'invoice'));
  const byName = groupBy(candidates, (line) => plainText(nameOf(line)));
  return [...byName]
    .flatMap(([key, itsLines]) => {
      const count = itsLines.filter(matches).length;
      // If each line names an invoice, all are known as the courier's without a setting.
      const needsNoSetting = itsLines.every(({ whose }) => whose === 'invoice');
      if (key === '' || count === 0 || needsNoSetting) return [];
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

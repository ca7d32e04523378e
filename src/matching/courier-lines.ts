import { plainText } from '../imports/plain-text.ts';
import { namedNumbers } from './invoice-numbers.ts';

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
 * Makes a function that says why a line is the courier's: its text or account is a payer's; or it names an invoice (for
 * money that came in; a debit that names one pays somebody else); or its account is the courier's. Else null.
 *
 * @param isInvoice whether a number is an invoice's
 */
export function whoseLine(
  { payers, accounts }: PayerRule,
  isInvoice: (number: number) => boolean,
): (line: WhoseLine) => 'payer' | 'invoice' | 'account' | null {
  const words = payers.map(plainText).filter((word) => word !== '');
  const payerAccounts = new Set(payers.map(accountKey));
  const courierAccounts = new Set(accounts.map(accountKey));
  return (line) => {
    const lineText = plainText(`${line.text} ${line.counterparty ?? ''}`);
    if (words.some((word) => holdsWords(lineText, word))) return 'payer';
    if (line.counterparty_account !== null && payerAccounts.has(accountKey(line.counterparty_account))) return 'payer';
    if (line.amount > 0n && namesInvoice(line, isInvoice)) return 'invoice';
    return line.account !== null && courierAccounts.has(accountKey(line.account)) ? 'account' : null;
  };
}

function namesInvoice({ text, reference, invoice }: WhoseLine, isInvoice: (number: number) => boolean): boolean {
  // In its column also a short number or a year is an invoice's.
  const inColumn = namedNumbers(invoice ?? '', isInvoice);
  const inText = namedNumbers(`${text} ${reference ?? ''}`, isInvoice);
  return inColumn.strong.length + inColumn.weak.length + inText.strong.length > 0;
}

/** Whether a text has these words as whole words: `Cedar` is not in `Cedarwood`. */
export function holdsWords(text: string, words: string): boolean {
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

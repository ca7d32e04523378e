import { openingTransactions } from '../../../reports/journal/journal.ts';
import {
  accountsOf,
  type Journal,
  type JournalAccount,
  type JournalTransaction,
} from '../../../reports/journal/model.ts';
import type { Units } from '../../money/units.ts';
import { currenciesOf, heldAfter, postingsOf } from './postings.ts';
import { accountIn, type JournalSettings } from './settings.ts';
import { amountText, lineText, narrationText, referenceList } from './text.ts';

export interface LedgerFileOptions {
  /** Begin with the opening balances and assert the closing ones, for a file that stands alone; without them it holds its transactions and no more. */
  readonly opening: boolean;
  /** The accounts that no file of an earlier month has: beancount takes each `open` once. */
  readonly opens?: readonly JournalAccount[];
}

/**
 * A journal for hledger. Accounts and commodities are declared, so that `hledger check --strict` passes, of several files too. With its
 * opening balances, the last posting of an account and currency asserts its balance, so that hledger proves the sums that remit made.
 */
export function* hledgerText(
  journal: Journal,
  settings: JournalSettings,
  options: LedgerFileOptions,
): Generator<string> {
  const transactions = [...openingTransactions(journal), ...journal.transactions];
  const { base } = journal;
  const currencies = currenciesOf(transactions, base);
  const accounts = accountsOf(transactions.flatMap(({ lines }) => lines));
  yield `; Journal of ${journal.period}, ${journal.from} to ${journal.to}.\n\n`;
  for (const account of accounts) yield `account ${accountIn(settings, account)}\n`;
  for (const currency of currencies)
    yield `commodity ${sample(decimalsOf(transactions, currency, base))} ${commodity(currency)}\n`;
  const last = options.opening ? lastPostings(journal.transactions, base) : new Map<string, string>();
  const closing = heldAfter(transactions, base);
  for (const one of options.opening ? transactions : journal.transactions) {
    yield `\n${headOf(one)}\n`;
    for (const [at, posting] of postingsOf(one, base).entries()) {
      const key = `${posting.account} ${posting.currency}`;
      const asserted = last.get(key) === `${one.id} ${at}` ? (closing.get(key) ?? 0n) : null;
      const price = posting.cost === null ? '' : ` @@ ${amountText(posting.cost)} ${commodity(base!)}`;
      yield `${postingOf(accountIn(settings, posting.account), posting.amount, posting.currency, price, asserted)}\n`;
    }
  }
}

function headOf(one: JournalTransaction): string {
  const { id, date, references } = one;
  // A semicolon would begin a comment, a bar ends a payee, and a comma a tag.
  const description = narrationText(one).replace(/[;|]/g, ',');
  const tags = [['remit', id], ...referenceList(references)].map(([name, value]) => {
    return `${name}:${lineText(value!).replace(/[,;]/g, ' ')}`;
  });
  return `${date} (${lineText(id).replace(/[()]/g, '_')}) ${description}  ; ${tags.join(', ')}`;
}

function postingOf(account: string, amount: Units, currency: string, price: string, asserted: Units | null): string {
  const posted = `    ${account}  ${amountText(amount)} ${commodity(currency)}${price}`;
  return asserted === null ? posted : `${posted} = ${amountText(asserted)} ${commodity(currency)}`;
}

/**
 * The decimals that a currency's amounts need, at least two. hledger rounds what it shows, and what it calls balanced,
 * to the decimals that the commodity was declared with.
 */
function decimalsOf(transactions: readonly JournalTransaction[], currency: string, base: string | null): number {
  let most = 2;
  for (const one of transactions) {
    for (const posting of postingsOf(one, base)) {
      if (posting.currency !== currency) continue;
      most = Math.max(most, amountText(posting.amount).split('.')[1]!.length);
    }
  }
  return most;
}

function sample(decimals: number): string {
  return `1000.${'0'.repeat(decimals)}`;
}

/** A code with a digit in it is read as a number unless it is quoted. */
function commodity(currency: string): string {
  return /^[A-Z]+$/.test(currency) ? currency : `"${currency}"`;
}

/** The last posting of each account and currency: `account currency` → `id line`. */
function lastPostings(transactions: readonly JournalTransaction[], base: string | null): Map<string, string> {
  const last = new Map<string, string>();
  for (const one of transactions) {
    for (const [at, { account, currency }] of postingsOf(one, base).entries())
      last.set(`${account} ${currency}`, `${one.id} ${at}`);
  }
  return last;
}

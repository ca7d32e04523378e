import { balancesOf, openingTransactions } from '../../../reports/journal/journal.ts';
import { JOURNAL_ACCOUNTS, type Journal, type JournalTransaction } from '../../../reports/journal/model.ts';
import type { Units } from '../../money/index.ts';
import type { JournalSettings } from './settings.ts';
import { amountText, lineText, referenceList } from './text.ts';

export interface LedgerFileOptions {
  /** Begin with the opening balances, so that the file can be read on its own. Without, it goes after the files before it. */
  readonly opening: boolean;
}

/**
 * A journal for hledger. Accounts and commodities are declared, so that `hledger check --strict` passes; the last
 * posting of an account and currency asserts its balance, so that hledger proves the sums that remit made.
 */
export function* hledgerText(
  journal: Journal,
  settings: JournalSettings,
  options: LedgerFileOptions,
): Generator<string> {
  const transactions = [...openingTransactions(journal), ...journal.transactions];
  const currencies = [...new Set(transactions.map(({ currency }) => currency))].sort();
  yield `; Journal of ${journal.period}, ${journal.from} to ${journal.to}.\n\n`;
  for (const account of JOURNAL_ACCOUNTS) yield `account ${settings.accounts[account]}\n`;
  for (const currency of currencies)
    yield `commodity ${sample(decimalsOf(transactions, currency))} ${commodity(currency)}\n`;
  const last = lastPostings(journal.transactions);
  const closing = new Map(
    balancesOf(journal.opening, journal.transactions).map(({ account, currency, amount }) => [
      `${account} ${currency}`,
      amount,
    ]),
  );
  for (const one of options.opening ? transactions : journal.transactions) {
    yield `\n${headOf(one)}\n`;
    for (const [at, { account, amount }] of one.lines.entries()) {
      const key = `${account} ${one.currency}`;
      const asserted = last.get(key) === `${one.id} ${at}` ? (closing.get(key) ?? 0n) : null;
      yield `${postingOf(settings.accounts[account], amount, one.currency, asserted)}\n`;
    }
  }
}

function headOf({ id, date, narration, references }: JournalTransaction): string {
  // A semicolon would begin a comment, a bar ends a payee, and a comma a tag.
  const description = lineText(narration).replace(/[;|]/g, ',');
  const tags = [['remit', id], ...referenceList(references)].map(([name, value]) => {
    return `${name}:${lineText(value!).replace(/[,;]/g, ' ')}`;
  });
  return `${date} (${lineText(id).replace(/[()]/g, '_')}) ${description}  ; ${tags.join(', ')}`;
}

function postingOf(account: string, amount: Units, currency: string, asserted: Units | null): string {
  const posted = `    ${account}  ${amountText(amount)} ${commodity(currency)}`;
  return asserted === null ? posted : `${posted} = ${amountText(asserted)} ${commodity(currency)}`;
}

/**
 * The decimals that a currency's amounts need, at least two. hledger rounds what it shows, and what it calls balanced,
 * to the decimals that the commodity was declared with.
 */
function decimalsOf(transactions: readonly JournalTransaction[], currency: string): number {
  let most = 2;
  for (const one of transactions) {
    if (one.currency !== currency) continue;
    for (const { amount } of one.lines) most = Math.max(most, amountText(amount).split('.')[1]!.length);
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

/** Which posting is the last of each account and currency: `account currency` → `id line`. */
function lastPostings(transactions: readonly JournalTransaction[]): Map<string, string> {
  const last = new Map<string, string>();
  for (const { id, currency, lines } of transactions) {
    for (const [at, { account }] of lines.entries()) last.set(`${account} ${currency}`, `${id} ${at}`);
  }
  return last;
}

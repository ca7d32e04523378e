import { hasSameSign } from '../../../reports/journal/carrying.ts';
import { openingTransactions } from '../../../reports/journal/journal.ts';
import {
  accountsOf,
  type Journal,
  type JournalAccount,
  type JournalReferences,
  type JournalTransaction,
} from '../../../reports/journal/model.ts';
import { addDays } from '../../base/day.ts';
import { cleanText } from '../../base/text.ts';
import { formatUnits, sizeOf, type Units } from '../../money/units.ts';
import { say } from '../../words/index.ts';
import { accountIn, type JournalSettings } from './settings.ts';

function lineText(text: string): string {
  return cleanText(text, 200).replace(/\s+/g, ' ').trim();
}

export function narrationText({ narration }: Pick<JournalTransaction, 'narration'>): string {
  return lineText(say(narration));
}

/** The references of a transaction, always in the same order. */
export function referenceList(references: JournalReferences): [name: string, value: string][] {
  const { invoice, order, reference, receipt } = references;
  return Object.entries({ invoice, order, reference, receipt }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, lineText(String(value))] as [string, string]],
  );
}

export interface LedgerFileOptions {
  /** Whether the file begins with the opening balances and asserts the closing ones, so that it can be read alone. */
  readonly standsAlone: boolean;
  /** The accounts that no file of an earlier month opens: beancount takes each `open` once. */
  readonly opens?: readonly JournalAccount[];
}

/**
 * A journal for hledger. Accounts and commodities are declared, so that `hledger check --strict` passes, also for many
 * files. In a file that stands alone, the last posting of each account and currency in the month asserts its balance.
 * An account without a posting there asserts none.
 */
export function* hledgerText(
  journal: Journal,
  settings: JournalSettings,
  options: LedgerFileOptions,
): Generator<string> {
  const withOpening = [...openingTransactions(journal), ...journal.transactions];
  const { base } = journal;
  const currencies = currenciesOf(withOpening, base);
  const accounts = accountsOf(withOpening.flatMap(({ lines }) => lines));
  yield `; Journal of ${journal.period}, ${journal.from} to ${journal.to}.\n\n`;
  for (const account of accounts) yield `account ${accountIn(settings, account)}\n`;
  for (const currency of currencies) {
    // An amount says how many decimals a commodity has: `1000.00`.
    yield `commodity 1000.${'0'.repeat(decimalsOf(withOpening, currency, base))} ${commodity(currency)}\n`;
  }
  const lastPlaces = options.standsAlone ? lastPostings(journal.transactions, base) : null;
  const closing = balancesAfter(withOpening, base);
  for (const transaction of options.standsAlone ? withOpening : journal.transactions) {
    yield `\n${hledgerHead(transaction)}\n`;
    for (const [at, posting] of postingsOf(transaction, base).entries()) {
      const key = balanceKey(posting.account, posting.currency);
      const last = lastPlaces?.get(key);
      const isLast = last?.transaction === transaction && last.at === at;
      const asserted = isLast ? (closing.get(key) ?? 0n) : null;
      const amountText = (amount: Units) => `${formatUnits(amount)} ${commodity(posting.currency)}`;
      const price = posting.cost === null ? '' : ` @@ ${formatUnits(posting.cost)} ${commodity(base!)}`;
      const assertion = asserted === null ? '' : ` = ${amountText(asserted)}`;
      yield `    ${accountIn(settings, posting.account)}  ${amountText(posting.amount)}${price}${assertion}\n`;
    }
  }
}

function hledgerHead(transaction: JournalTransaction): string {
  const { id, date, references } = transaction;
  // A semicolon would begin a comment, a bar ends a payee, and a comma a tag.
  const description = narrationText(transaction).replace(/[;|]/g, ',');
  const tags = [['remit', id], ...referenceList(references)].map(([name, value]) => {
    return `${name}:${lineText(value!).replace(/[,;]/g, ' ')}`;
  });
  return `${date} (${lineText(id).replace(/[()]/g, '_')}) ${description}  ; ${tags.join(', ')}`;
}

/**
 * The decimals that a currency's amounts need, at least two. hledger rounds what it shows, and what it calls balanced,
 * to the decimals that the commodity was declared with.
 */
function decimalsOf(transactions: readonly JournalTransaction[], currency: string, base: string | null): number {
  let most = 2;
  for (const transaction of transactions) {
    for (const posting of postingsOf(transaction, base)) {
      if (posting.currency !== currency) continue;
      most = Math.max(most, formatUnits(posting.amount).split('.')[1]!.length);
    }
  }
  return most;
}

/** A currency's code, in quotes if hledger would read a number in it. */
function commodity(currency: string): string {
  return /^[A-Z]+$/.test(currency) ? currency : `"${currency}"`;
}

/** A key for what an account holds in one currency. */
function balanceKey(account: JournalAccount, currency: string): string {
  return `${account} ${currency}`;
}

/** The last posting of each account and currency, by {@link balanceKey}: its transaction, and its place there. */
function lastPostings(transactions: readonly JournalTransaction[], base: string | null) {
  const last = new Map<string, { readonly transaction: JournalTransaction; readonly at: number }>();
  for (const transaction of transactions) {
    for (const [at, { account, currency }] of postingsOf(transaction, base).entries())
      last.set(balanceKey(account, currency), { transaction, at });
  }
  return last;
}

/**
 * A journal for beancount. A file that stands alone opens every account, and ends with `balance` directives for the
 * morning after the last day, which `bean-check` compares. Any other opens only `opens`; beancount opens the others.
 */
export function* beancountText(
  journal: Journal,
  settings: JournalSettings,
  options: LedgerFileOptions,
): Generator<string> {
  const opening = openingTransactions(journal);
  const withOpening = [...opening, ...journal.transactions];
  const { base } = journal;
  const accounts = accountsOf(withOpening.flatMap(({ lines }) => lines));
  yield `; Journal of ${journal.period}, ${journal.from} to ${journal.to}.\n\n`;
  // beancount divides a total price by the amount and multiplies again: the rounding must not count as a difference.
  if (base !== null) yield `option "inferred_tolerance_default" "${base}:0.00001"\n\n`;
  if (!options.standsAlone) yield 'plugin "beancount.plugins.auto_accounts"\n\n';
  const openedOn = (options.standsAlone ? opening[0]?.date : undefined) ?? journal.from;
  for (const account of options.standsAlone ? accounts : (options.opens ?? []))
    yield `${openedOn} open ${accountIn(settings, account)}\n`;
  for (const transaction of options.standsAlone ? withOpening : journal.transactions) {
    yield `\n${beancountHead(transaction)}`;
    for (const { account, amount, currency, cost } of postingsOf(transaction, base)) {
      const price = cost === null ? '' : ` @@ ${formatUnits(cost)} ${base}`;
      yield `  ${accountIn(settings, account)}  ${formatUnits(amount)} ${currency}${price}\n`;
    }
  }
  if (!options.standsAlone) return;
  yield '\n';
  yield* beancountBalances(withOpening, accounts, journal, settings);
}

/** The assertions of the accounts' balances after the journal's last day. */
function* beancountBalances(
  transactions: readonly JournalTransaction[],
  accounts: readonly JournalAccount[],
  { to, base }: Journal,
  settings: JournalSettings,
): Generator<string> {
  const morning = addDays(to, 1);
  const balances = balancesAfter(transactions, base);
  for (const currency of currenciesOf(transactions, base)) {
    const accountLines = accounts.map(
      (account) => [accountIn(settings, account), balances.get(balanceKey(account, currency)) ?? 0n] as const,
    );
    for (const account of accounts) {
      if (account === 'opening') continue;
      // beancount's balance of an account includes those below it.
      const path = `${accountIn(settings, account)}:`;
      const amount = accountLines.reduce((sum, [name, units]) => (`${name}:`.startsWith(path) ? sum + units : sum), 0n);
      // `~ 0` asserts every digit; by default beancount tolerates half a unit of the last decimal.
      yield `${morning} balance ${accountIn(settings, account)}  ${formatUnits(amount)} ~ 0 ${currency}\n`;
    }
  }
}

function beancountHead(transaction: JournalTransaction): string {
  const { id, date, references } = transaction;
  const metadata = [['remit', id] as const, ...referenceList(references)].map(
    ([name, value]) => `  ${name}: "${escaped(value)}"\n`,
  );
  return `${date} * "${escaped(narrationText(transaction))}"\n${metadata.join('')}`;
}

function escaped(text: string): string {
  return lineText(text).replace(/[\\"]/g, '\\$&');
}

/** A line of a transaction for hledger and beancount. */
interface Posting {
  readonly account: JournalAccount;
  readonly currency: string;
  readonly amount: Units;
  /** The amount's worth in the base currency, without a sign; null if it is in the base currency or there is none. */
  readonly cost: Units | null;
}

/**
 * The postings of a transaction. An amount in another currency has its worth in the base currency as its price; a line
 * with a base amount alone is a posting in the base currency.
 */
function postingsOf({ currency, lines }: JournalTransaction, base: string | null): Posting[] {
  return lines.flatMap(({ account, amount, base: inBase = 0n }): Posting[] => {
    if (base === null || base === currency) return [{ account, currency, amount, cost: null }];
    const inBaseOnly = { account, currency: base, amount: inBase, cost: null };
    if (amount === 0n) return [inBaseOnly];
    // A price has no sign: a worth with another sign than the amount's is a posting of its own.
    const hasOtherSign = inBase !== 0n && !hasSameSign(inBase, amount);
    if (hasOtherSign) return [{ account, currency, amount, cost: 0n }, inBaseOnly];
    return [{ account, currency, amount, cost: sizeOf(inBase) }];
  });
}

/** What each account holds in each currency after these transactions, by {@link balanceKey}. */
function balancesAfter(transactions: readonly JournalTransaction[], base: string | null): Map<string, Units> {
  const balances = new Map<string, Units>();
  for (const transaction of transactions) {
    for (const { account, currency, amount } of postingsOf(transaction, base)) {
      const key = balanceKey(account, currency);
      balances.set(key, (balances.get(key) ?? 0n) + amount);
    }
  }
  return balances;
}

function currenciesOf(transactions: readonly JournalTransaction[], base: string | null): string[] {
  return [...new Set([...transactions.map(({ currency }) => currency), ...(base === null ? [] : [base])])].sort();
}

/**
 * A journal in its base currency alone, for programs without a column for currencies; unchanged if it has no base. They
 * are given the month's transactions alone, without opening balances.
 */
export function inBaseAlone(journal: Journal): Journal {
  const { base: currency } = journal;
  if (currency === null) return journal;
  const transactions = journal.transactions.flatMap((transaction) => {
    const lines = transaction.lines.flatMap(({ account, base = 0n }) =>
      base === 0n ? [] : [{ account, amount: base }],
    );
    return lines.length === 0 ? [] : [{ ...transaction, currency, lines }];
  });
  return { ...journal, opening: [], transactions };
}

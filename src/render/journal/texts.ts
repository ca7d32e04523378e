import { dayAfter, openingTransactions } from '../../../reports/journal/journal.ts';
import {
  accountsOf,
  type Journal,
  type JournalAccount,
  type JournalReferences,
  type JournalTransaction,
} from '../../../reports/journal/model.ts';
import { cleanText } from '../../base/text.ts';
import { formatAmount } from '../../money/format.ts';
import { amountOfUnits, type Units } from '../../money/units.ts';
import { say } from '../../words/index.ts';
import { accountIn, type JournalSettings } from './settings.ts';

/** A plain decimal, `-12.50`. */
export function amountText(units: Units): string {
  return formatAmount(amountOfUnits(units));
}

/** The same without its sign. */
export function unsignedText(units: Units): string {
  return amountText(units < 0n ? -units : units);
}

/** Text from outside on one line. */
function lineText(text: string): string {
  return cleanText(text, 200).replace(/\s+/g, ' ').trim();
}

/** What a transaction books, in English, as other programs read it. */
export function narrationText({ narration }: Pick<JournalTransaction, 'narration'>): string {
  return lineText(say(narration));
}

/** The references of a transaction, in an order that does not change. */
export function referenceList(references: JournalReferences): [name: string, value: string][] {
  const { invoice, order, reference, receipt } = references;
  return Object.entries({ invoice, order, reference, receipt }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, lineText(String(value))] as [string, string]],
  );
}

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
  const withOpening = [...openingTransactions(journal), ...journal.transactions];
  const { base } = journal;
  const currencies = currenciesOf(withOpening, base);
  const accounts = accountsOf(withOpening.flatMap(({ lines }) => lines));
  yield `; Journal of ${journal.period}, ${journal.from} to ${journal.to}.\n\n`;
  for (const account of accounts) yield `account ${accountIn(settings, account)}\n`;
  for (const currency of currencies)
    yield `commodity ${sample(decimalsOf(withOpening, currency, base))} ${commodity(currency)}\n`;
  const last = options.opening ? lastPostings(journal.transactions, base) : new Map<string, string>();
  const closing = balancesAfter(withOpening, base);
  for (const one of options.opening ? withOpening : journal.transactions) {
    yield `\n${hledgerHead(one)}\n`;
    for (const [at, posting] of postingsOf(one, base).entries()) {
      const key = `${posting.account} ${posting.currency}`;
      const asserted = last.get(key) === `${one.id} ${at}` ? (closing.get(key) ?? 0n) : null;
      const price = posting.cost === null ? '' : ` @@ ${amountText(posting.cost)} ${commodity(base!)}`;
      yield `${postingOf(accountIn(settings, posting.account), posting.amount, posting.currency, price, asserted)}\n`;
    }
  }
}

function hledgerHead(one: JournalTransaction): string {
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

/** hledger declares a commodity by an amount as it is written. */
function sample(decimals: number): string {
  return `1000.${'0'.repeat(decimals)}`;
}

/** A code with a digit in it is read as a number unless it is quoted. */
function commodity(currency: string): string {
  return /^[A-Z]+$/.test(currency) ? currency : `"${currency}"`;
}

/** The last posting of each account and currency: `bank USD` → `REC-17 2`, the id of its transaction and its place there. */
function lastPostings(transactions: readonly JournalTransaction[], base: string | null): Map<string, string> {
  const last = new Map<string, string>();
  for (const one of transactions) {
    for (const [at, { account, currency }] of postingsOf(one, base).entries())
      last.set(`${account} ${currency}`, `${one.id} ${at}`);
  }
  return last;
}

/**
 * A journal for beancount. With its opening balances it opens every account, and ends in `balance` directives for the morning after the
 * last day, which `bean-check` compares. Without them it opens what no earlier file has, and beancount the rest where it reads it alone.
 */
export function* beancountText(
  journal: Journal,
  settings: JournalSettings,
  options: LedgerFileOptions,
): Generator<string> {
  const opening = openingTransactions(journal);
  const withOpening = [...opening, ...journal.transactions];
  const { base } = journal;
  const currencies = currenciesOf(withOpening, base);
  const accounts = accountsOf(withOpening.flatMap(({ lines }) => lines));
  yield `; Journal of ${journal.period}, ${journal.from} to ${journal.to}.\n\n`;
  // beancount divides a total price by the amount and multiplies again: what that leaves is no difference.
  if (base !== null) yield `option "inferred_tolerance_default" "${base}:0.00001"\n\n`;
  if (!options.opening) yield 'plugin "beancount.plugins.auto_accounts"\n\n';
  const first = (options.opening ? opening[0]?.date : undefined) ?? journal.from;
  for (const account of options.opening ? accounts : (options.opens ?? []))
    yield `${first} open ${accountIn(settings, account)}\n`;
  for (const one of options.opening ? withOpening : journal.transactions) {
    yield `\n${beancountHead(one)}`;
    for (const { account, amount, currency, cost } of postingsOf(one, base)) {
      const price = cost === null ? '' : ` @@ ${amountText(cost)} ${base}`;
      yield `  ${accountIn(settings, account)}  ${amountText(amount)} ${currency}${price}\n`;
    }
  }
  if (!options.opening) return;
  const morning = dayAfter(journal.to);
  const balances = balancesAfter(withOpening, base);
  yield '\n';
  for (const currency of currencies) {
    const accountLines = accounts.map(
      (account) => [accountIn(settings, account), balances.get(`${account} ${currency}`) ?? 0n] as const,
    );
    for (const account of accounts) {
      if (account === 'opening') continue;
      // beancount's balance of an account includes those below it.
      const path = `${accountIn(settings, account)}:`;
      const amount = accountLines.reduce((sum, [name, units]) => (`${name}:`.startsWith(path) ? sum + units : sum), 0n);
      // `~ 0` asserts every digit; by default beancount tolerates half a unit of the last decimal.
      yield `${morning} balance ${accountIn(settings, account)}  ${amountText(amount)} ~ 0 ${currency}\n`;
    }
  }
}

function beancountHead(one: JournalTransaction): string {
  const { id, date, references } = one;
  const metadata = [['remit', id] as const, ...referenceList(references)].map(
    ([name, value]) => `  ${name}: "${escaped(value)}"\n`,
  );
  return `${date} * "${escaped(narrationText(one))}"\n${metadata.join('')}`;
}

function escaped(text: string): string {
  return lineText(text).replace(/[\\"]/g, '\\$&');
}

/** A line as hledger and beancount take it. */
export interface Posting {
  readonly account: JournalAccount;
  readonly currency: string;
  readonly amount: Units;
  /** What the amount is worth in the base currency, without its sign; null where it is in the base currency, or there is none. */
  readonly cost: Units | null;
}

/**
 * The postings of a transaction: an amount in another currency has its worth in the base as its price, and a base amount alone is a
 * posting in the base currency.
 */
function postingsOf({ currency, lines }: JournalTransaction, base: string | null): Posting[] {
  return lines.flatMap(({ account, amount, base: inBase = 0n }): Posting[] => {
    if (base === null || base === currency) return [{ account, currency, amount, cost: null }];
    const alone = { account, currency: base, amount: inBase, cost: null };
    if (amount === 0n) return [alone];
    const worth = inBase < 0n ? -inBase : inBase;
    const isAgainst = inBase > 0n ? amount < 0n : inBase < 0n && amount > 0n;
    if (!isAgainst) return [{ account, currency, amount, cost: worth }];
    // A price has no sign: a worth against the amount's stands alone.
    return [{ account, currency, amount, cost: 0n }, alone];
  });
}

/** What each account holds of each currency after some transactions: `account currency` → amount. */
function balancesAfter(transactions: readonly JournalTransaction[], base: string | null): Map<string, Units> {
  const balances = new Map<string, Units>();
  for (const one of transactions) {
    for (const { account, currency, amount } of postingsOf(one, base)) {
      const key = `${account} ${currency}`;
      balances.set(key, (balances.get(key) ?? 0n) + amount);
    }
  }
  return balances;
}

/** The currencies of some transactions, with the base currency, by name. */
function currenciesOf(transactions: readonly JournalTransaction[], base: string | null): string[] {
  return [...new Set([...transactions.map(({ currency }) => currency), ...(base === null ? [] : [base])])].sort();
}

/** The same journal in its base currency alone, for programs that have no column for a currency; as it is where it has no base. */
export function inBaseAlone(journal: Journal): Journal {
  const { base: currency } = journal;
  if (currency === null) return journal;
  const transactions = journal.transactions.flatMap((one) => {
    const lines = one.lines.flatMap(({ account, base = 0n }) => (base === 0n ? [] : [{ account, amount: base }]));
    return lines.length === 0 ? [] : [{ ...one, currency, lines }];
  });
  return { ...journal, opening: [], transactions };
}

import { balancesOf, dayAfter, openingTransactions } from '../../../reports/journal/journal.ts';
import { JOURNAL_ACCOUNTS, type Journal, type JournalTransaction } from '../../../reports/journal/model.ts';
import type { LedgerFileOptions } from './hledger.ts';
import type { JournalSettings } from './settings.ts';
import { amountText, lineText, referenceList } from './text.ts';

/**
 * A journal for beancount: `open` directives for every account and currency, the transactions, and `balance` directives
 * for the morning after the last day, which `bean-check` compares.
 */
export function* beancountText(
  journal: Journal,
  settings: JournalSettings,
  options: LedgerFileOptions,
): Generator<string> {
  const opening = openingTransactions(journal);
  const all = [...opening, ...journal.transactions];
  const currencies = [...new Set(all.map(({ currency }) => currency))].sort();
  yield `; Journal of ${journal.period}, ${journal.from} to ${journal.to}.\n\n`;
  if (options.opening) {
    const first = opening[0]?.date ?? journal.from;
    for (const account of JOURNAL_ACCOUNTS)
      yield `${first} open ${settings.accounts[account]} ${currencies.join(',')}\n`.replace(/ \n/, '\n');
  }
  for (const one of options.opening ? all : journal.transactions) {
    yield `\n${headOf(one)}`;
    for (const { account, amount } of one.lines) {
      yield `  ${settings.accounts[account]}  ${amountText(amount)} ${one.currency}\n`;
    }
  }
  const morning = dayAfter(journal.to);
  const held = new Map(
    balancesOf(journal.opening, journal.transactions).map(({ account, currency, amount }) => [
      `${account} ${currency}`,
      amount,
    ]),
  );
  yield '\n';
  for (const currency of currencies) {
    for (const account of JOURNAL_ACCOUNTS) {
      if (account === 'opening') continue;
      const amount = held.get(`${account} ${currency}`) ?? 0n;
      // `~ 0`: to the last digit, where beancount would let pass half a unit of the last decimal written.
      yield `${morning} balance ${settings.accounts[account]}  ${amountText(amount)} ~ 0 ${currency}\n`;
    }
  }
}

function headOf({ id, date, narration, references }: JournalTransaction): string {
  const metadata = [['remit', id] as const, ...referenceList(references)].map(
    ([name, value]) => `  ${name}: "${escaped(value)}"\n`,
  );
  return `${date} * "${escaped(narration)}"\n${metadata.join('')}`;
}

function escaped(text: string): string {
  return lineText(text).replace(/[\\"]/g, '\\$&');
}

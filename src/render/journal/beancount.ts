import { dayAfter, openingTransactions } from '../../../reports/journal/journal.ts';
import { accountsOf, type Journal, type JournalTransaction } from '../../../reports/journal/model.ts';
import type { LedgerFileOptions } from './hledger.ts';
import { currenciesOf, heldAfter, postingsOf } from './postings.ts';
import { accountIn, type JournalSettings } from './settings.ts';
import { amountText, lineText, narrationText, referenceList } from './text.ts';

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
  const all = [...opening, ...journal.transactions];
  const { base } = journal;
  const currencies = currenciesOf(all, base);
  const accounts = accountsOf(all.flatMap(({ lines }) => lines));
  yield `; Journal of ${journal.period}, ${journal.from} to ${journal.to}.\n\n`;
  // beancount divides a total price by the amount and multiplies again: what that leaves is no difference.
  if (base !== null) yield `option "inferred_tolerance_default" "${base}:0.00001"\n\n`;
  if (!options.opening) yield 'plugin "beancount.plugins.auto_accounts"\n\n';
  const first = (options.opening ? opening[0]?.date : undefined) ?? journal.from;
  for (const account of options.opening ? accounts : (options.opens ?? []))
    yield `${first} open ${accountIn(settings, account)}\n`;
  for (const one of options.opening ? all : journal.transactions) {
    yield `\n${headOf(one)}`;
    for (const { account, amount, currency, cost } of postingsOf(one, base)) {
      const price = cost === null ? '' : ` @@ ${amountText(cost)} ${base}`;
      yield `  ${accountIn(settings, account)}  ${amountText(amount)} ${currency}${price}\n`;
    }
  }
  if (!options.opening) return;
  const morning = dayAfter(journal.to);
  const held = heldAfter(all, base);
  yield '\n';
  for (const currency of currencies) {
    const accountLines = accounts.map(
      (account) => [accountIn(settings, account), held.get(`${account} ${currency}`) ?? 0n] as const,
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

function headOf(one: JournalTransaction): string {
  const { id, date, references } = one;
  const metadata = [['remit', id] as const, ...referenceList(references)].map(
    ([name, value]) => `  ${name}: "${escaped(value)}"\n`,
  );
  return `${date} * "${escaped(narrationText(one))}"\n${metadata.join('')}`;
}

function escaped(text: string): string {
  return lineText(text).replace(/[\\"]/g, '\\$&');
}

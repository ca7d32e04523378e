import type { CurrencyBooks, OpenInvoice, OpenReceipt } from './books-of-currency.ts';
import { bookClearOnes, type Found } from './choose.ts';
import { MOST_WAYS } from './model.ts';
import { type Choice, openReceipts, type Rule, sayInvoices } from './rule.ts';
import { runsThatSum } from './runs.ts';
import { SubsetSearch } from './subset-search.ts';

const MOST_IN_A_SET = 12;
/** About 200 ms of search on a small machine: all sets of up to 40 outstanding invoices can be ruled out. */
const WORK = 2 ** 20;

/**
 * Rule 3: one receipt is the sum of one set of at most 12 outstanding invoices, or of one run of them by date, issued
 * no later than the receipt. A receipt that surely names invoices is paid out only to sets that hold them all:
 * another sum that happens to fit is chance.
 *
 * @returns the rule; it remembers what it found while nothing that a receipt depends on has changed
 */
export function setsRule(): Rule {
  const search = new SubsetSearch();
  const before = new Map<string, { readonly key: string; readonly found: Found }>();
  return (books, stuck) => {
    const open = books.invoices.filter(({ outstanding }) => outstanding !== 0n);
    const keys = keysOfPrefixes(open);
    const found = openReceipts(books, stuck, 1).map((receipt) => {
      const pool = open.filter(({ date }) => date <= receipt.date);
      const key = `${receipt.left} ${keys(pool.length)}`;
      const known = before.get(receipt.id);
      if (known?.key === key) return known.found;
      const answer = waysOf(books, receipt, pool, search);
      before.set(receipt.id, { key, found: answer });
      return answer;
    });
    return bookClearOnes(books, stuck, found, ({ rule, invoices }) => {
      const numbers = invoices.map(({ number }) => number);
      const how = rule === 'run' ? 'the only run by date' : 'the only set';
      return `the amount is the sum of ${sayInvoices(numbers)}, ${how} that gives it`;
    });
  };
}

/** What the first so many invoices ask for, as a text; made once for each count. */
function keysOfPrefixes(invoices: readonly OpenInvoice[]): (count: number) => string {
  const made = new Map<number, string>();
  return (count) => {
    const key =
      made.get(count) ??
      invoices
        .slice(0, count)
        .map(({ number, outstanding }) => `${number}:${outstanding}`)
        .join();
    made.set(count, key);
    return key;
  };
}

function waysOf(books: CurrencyBooks, receipt: OpenReceipt, pool: readonly OpenInvoice[], search: SubsetSearch): Found {
  const named = books.invoicesOf(receipt.names.strong);
  if (named.some((invoice) => !pool.includes(invoice))) return { receipt, choices: [], tooMany: false };
  // What is named is in every set: the search is for the rest.
  const rest = pool.filter((invoice) => !named.includes(invoice));
  const target = receipt.left - named.reduce((sum, { outstanding }) => sum + outstanding, 0n);
  const sets = search.find(
    rest.map(({ outstanding }) => outstanding),
    target,
    { least: Math.max(1, 2 - named.length), most: MOST_IN_A_SET - named.length, ways: MOST_WAYS, work: WORK },
  );
  const choices = new Map<string, Choice>();
  const add = (rule: 'set' | 'run', invoices: readonly OpenInvoice[]) => {
    const key = invoices.map(({ number }) => number).join();
    if (!choices.has(key)) choices.set(key, { rule, invoices });
  };
  for (const set of sets.sets) {
    const members = new Set([...named, ...set.map((index) => rest[index]!)]);
    add(
      'set',
      pool.filter((invoice) => members.has(invoice)),
    );
  }
  const amounts = pool.map(({ outstanding }) => outstanding);
  const { runs, more } = runsThatSum(amounts, receipt.left, named.length > 0 ? pool.length ** 2 : 2 * MOST_WAYS);
  for (const [first, last] of runs) {
    const invoices = pool.slice(first, last + 1);
    if (named.every((invoice) => invoices.includes(invoice))) add('run', invoices);
  }
  const all = [...choices.values()];
  const tooMany = sets.tooMany || more || all.length > MOST_WAYS;
  return { receipt, choices: all.slice(0, MOST_WAYS), tooMany };
}

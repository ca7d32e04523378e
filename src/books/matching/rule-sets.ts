import type { OpenInvoice, OpenReceipt } from './books-of-currency.ts';
import { bookClearOnes, type Found } from './choose.ts';
import { MOST_WAYS } from './model.ts';
import { type Choice, openReceipts, type Rule, sayInvoices } from './rule.ts';
import { Runs } from './runs.ts';
import { SubsetSearch, type SubsetsFound } from './subset-search.ts';

const MOST_IN_A_SET = 12;
/** About 200 ms of search on a small machine: all sets of 40 invoices can be ruled out, of more where few fit. */
const WORK = 2 ** 20;

/**
 * Rule 3: one receipt is the sum of one set of at most 12 outstanding invoices, or of one run of them by date, issued
 * no later than the receipt.
 *
 * Where more than 12 invoices are outstanding, those of a set lie, as in rule 2, within `match_days` before the receipt:
 * the number of sets doubles with every invoice that was never paid, and soon one of them gives any amount by chance.
 * Runs are few, and may reach back as far as they like. A receipt that surely names invoices is paid out only to what
 * holds them all; beside them nothing that other receipts have left over, because what it is short is then more likely
 * the named invoice's own than the sum of others' rests.
 *
 * @returns the rule; it remembers what it searched while nothing that a receipt depends on has changed
 */
export function setsRule(): Rule {
  const search = new SubsetSearch();
  const before = new Map<string, { readonly key: string; readonly sets: SubsetsFound }>();
  const setsOf = (receipt: OpenReceipt, rest: readonly OpenInvoice[], target: bigint, named: number) => {
    const key = `${target} ${rest.map(({ number, outstanding }) => `${number}:${outstanding}`).join()}`;
    const known = before.get(receipt.id);
    if (known?.key === key) return known.sets;
    const amounts = rest.map(({ outstanding }) => outstanding);
    const least = Math.max(1, 2 - named);
    const sets = search.find(amounts, target, { least, most: MOST_IN_A_SET - named, ways: MOST_WAYS, work: WORK });
    before.set(receipt.id, { key, sets });
    return sets;
  };
  return (books, stuck) => {
    const open = books.invoices.filter(({ outstanding }) => outstanding !== 0n);
    const runs = new Runs(open.map(({ outstanding }) => outstanding));
    const found = openReceipts(books, stuck, 1).map((receipt): Found => {
      const issued = countUntil(open, receipt.day);
      const named = books.invoicesOf(receipt.names.strong);
      // One that is paid already, or was not yet issued, can be in no set.
      if (named.some(({ outstanding, day }) => outstanding === 0n || day > receipt.day)) return nothing(receipt);
      const first = issued <= MOST_IN_A_SET ? 0 : countUntil(open, receipt.day - books.options.matchDays - 1);
      const mayJoin = (invoice: OpenInvoice) => named.length === 0 || !invoice.touched;
      const rest = open.slice(first, issued).filter((invoice) => !named.includes(invoice) && mayJoin(invoice));
      const target = receipt.left - named.reduce((sum, { outstanding }) => sum + outstanding, 0n);
      const sets = setsOf(receipt, rest, target, named.length);
      const choices = new Choices();
      for (const set of sets.sets) {
        const numbers = [...named, ...set.map((index) => rest[index]!)].map(({ number }) => number);
        choices.add('set', books.invoicesOf(numbers));
      }
      const most = named.length > 0 ? issued ** 2 : 2 * MOST_WAYS;
      const neighbours = runs.thatSum(receipt.left, issued, most);
      for (const [from, to] of neighbours.runs) {
        const invoices = open.slice(from, to + 1);
        if (!named.every((invoice) => invoices.includes(invoice))) continue;
        if (invoices.every((invoice) => named.includes(invoice) || mayJoin(invoice))) choices.add('run', invoices);
      }
      return choices.of(receipt, sets.tooMany || neighbours.more);
    });
    return bookClearOnes(books, stuck, found, ({ rule, invoices }) => {
      const numbers = invoices.map(({ number }) => number);
      const how = rule === 'run' ? 'the only run by date' : 'the only set';
      return `the amount is the sum of ${sayInvoices(numbers)}, ${how} that gives it`;
    });
  };
}

/** Ways without doubles: a run may be a set as well. */
class Choices {
  readonly #byNumbers = new Map<string, Choice>();

  add(rule: 'set' | 'run', invoices: readonly OpenInvoice[]): void {
    const key = invoices.map(({ number }) => number).join();
    if (!this.#byNumbers.has(key)) this.#byNumbers.set(key, { rule, invoices });
  }

  of(receipt: OpenReceipt, tooMany: boolean): Found {
    const all = [...this.#byNumbers.values()];
    return { receipt, choices: all.slice(0, MOST_WAYS), tooMany: tooMany || all.length > MOST_WAYS };
  }
}

function nothing(receipt: OpenReceipt): Found {
  return { receipt, choices: [], tooMany: false };
}

/** How many invoices, which are in order, were issued up to a day. */
function countUntil(invoices: readonly OpenInvoice[], day: number): number {
  let low = 0;
  let high = invoices.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (invoices[middle]!.day <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

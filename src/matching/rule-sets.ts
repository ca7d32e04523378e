import type { TriedSentence } from '../base/sentence.ts';
import { bookUnambiguous, type ReceiptChoices } from './book-unambiguous.ts';
import { MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenReceipt } from './open-items.ts';
import { type Choice, type Rule, receiptsByAmount, sayInvoices, whyTooFarApart } from './rule.ts';
import { SubsetSearch, type SubsetsFound } from './subset-sum.ts';
import { plainAmount } from './tried-log.ts';

const MOST_IN_A_SET = 12;
/** At most 200 ms of search on a small machine: enough to try all sets of 36 invoices, or of more if few fit. */
const WORK = 2 ** 18;

/**
 * `set` and `run`: one receipt is the sum of one set of at most 12 outstanding invoices, or of one run by date, none
 * newer.
 *
 * If more than 12 invoices are outstanding, those of a set must be issued within `match_days` before the receipt, as
 * for `equal`: each invoice that was never paid doubles the number of sets, and among very many sets any amount comes
 * up by chance. Runs are few, and have no such limit. A receipt that clearly names invoices is ambiguous if a set or
 * run contains all of them and others ({@link bookUnambiguous} sees to that). None of the others may be paid in part:
 * then it is more likely that the receipt simply pays less than the named invoices.
 *
 * @returns the rule; it keeps a receipt's last search until the receipt or its invoices change
 */
export function setsRule(): Rule {
  const search = new SubsetSearch();
  const lastSearches = new Map<string, { readonly key: string; readonly sets: SubsetsFound }>();
  /** The sets of `pool` that add up to the target, to join the named invoices. */
  const setsOf = (receipt: OpenReceipt, pool: readonly OpenInvoice[], target: bigint, namedCount: number) => {
    const key = `${target} ${pool.map(({ number, outstanding }) => `${number}:${outstanding}`).join()}`;
    const last = lastSearches.get(receipt.id);
    if (last?.key === key) return last.sets;
    const amounts = pool.map(({ outstanding }) => outstanding);
    const least = Math.max(1, 2 - namedCount);
    const most = MOST_IN_A_SET - namedCount;
    const sets = search.find(amounts, target, { least, most, ways: MOST_WAYS, work: WORK });
    lastSearches.set(receipt.id, { key, sets });
    return sets;
  };
  return (items, ambiguous) => {
    const open = items.invoices.filter(({ outstanding }) => outstanding !== 0n);
    const runs = new Runs(open.map(({ outstanding }) => outstanding));
    const receipts = receiptsByAmount(items, ambiguous, { rule: 'set', sign: 1 });
    const receiptChoices = receipts.map((receipt): ReceiptChoices => {
      const issued = countUntil(open, receipt.day);
      const named = items.invoicesOf(receipt.names.strong);
      // A named invoice that is paid, or was issued later, cannot be in a set.
      const inNoSet = named.filter(({ outstanding, day }) => outstanding === 0n || day > receipt.day);
      for (const invoice of inNoSet) {
        const isPaid = invoice.outstanding === 0n;
        const why: TriedSentence = isPaid
          ? { id: 'tried-paid' }
          : whyTooFarApart(receipt, invoice, Number.POSITIVE_INFINITY)!;
        items.tried?.say('set', { receipts: [receipt], invoices: [invoice] }, why);
      }
      if (inNoSet.length > 0) return { receipt, choices: [], tooMany: false };
      // Of few invoices all are in the pool, of many the recent ones: see above.
      const firstInPool = issued <= MOST_IN_A_SET ? 0 : countUntil(open, receipt.day - items.options.matchDays - 1);
      const mayJoin = (invoice: OpenInvoice) => named.length === 0 || !invoice.wasEverMatched;
      const pool = open.slice(firstInPool, issued).filter((invoice) => !named.includes(invoice) && mayJoin(invoice));
      const target = receipt.left - named.reduce((sum, { outstanding }) => sum + outstanding, 0n);
      const { sets, tooMany } = setsOf(receipt, pool, target, named.length);
      const choices = new Choices();
      for (const set of sets) {
        const numbers = [...named, ...set.map((index) => pool[index]!)].map(({ number }) => number);
        choices.add('set', items.invoicesOf(numbers));
      }
      // If invoices are named, only runs with all of them count. Every run is listed: fewer than `issued ** 2`.
      const mostRuns = named.length > 0 ? issued ** 2 : 2 * MOST_WAYS;
      const { found: runsFound, more } = runs.thatSum(receipt.left, issued, mostRuns);
      for (const [first, last] of runsFound) {
        const invoices = open.slice(first, last + 1);
        if (!named.every((invoice) => invoices.includes(invoice))) continue;
        if (invoices.every((invoice) => named.includes(invoice) || mayJoin(invoice))) choices.add('run', invoices);
      }
      const ofReceipt = choices.of(receipt, tooMany || more);
      if (ofReceipt.choices.length === 0 && !ofReceipt.tooMany) {
        const { currency } = items;
        const why = { id: 'tried-no-set', invoices: issued, left: plainAmount(receipt.left), currency } as const;
        items.tried?.say('set', { receipts: [receipt], invoices: [] }, why);
      }
      return ofReceipt;
    });
    return bookUnambiguous(items, ambiguous, receiptChoices, ({ rule, invoices }) => {
      const numbers = invoices.map(({ number }) => number);
      const only = rule === 'run' ? 'the only run by date' : 'the only set';
      return `the amount is the sum of ${sayInvoices(numbers)}, ${only} that gives it`;
    });
  };
}

/** Collects choices, each once: a run may be a set as well. */
class Choices {
  readonly #byNumbers = new Map<string, Choice>();

  add(rule: 'set' | 'run', invoices: readonly OpenInvoice[]): void {
    const key = invoices.map(({ number }) => number).join();
    if (!this.#byNumbers.has(key)) this.#byNumbers.set(key, { rule, invoices });
  }

  of(receipt: OpenReceipt, tooMany: boolean): ReceiptChoices {
    const choices = [...this.#byNumbers.values()];
    return { receipt, choices: choices.slice(0, MOST_WAYS), tooMany: tooMany || choices.length > MOST_WAYS };
  }
}

/** The number of invoices issued by a day. @param invoices in order of date */
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

/** First and last index of neighbouring amounts. */
type Run = readonly [first: number, last: number];

/** Finds runs of neighbouring amounts, two or more, by their sum. */
class Runs {
  /** `#sums[n]` is the sum of the first n amounts. */
  readonly #sums: readonly bigint[];
  readonly #startsBySum = new Map<bigint, number[]>();

  constructor(amounts: readonly bigint[]) {
    const sums = [0n];
    for (const amount of amounts) sums.push(sums.at(-1)! + amount);
    this.#sums = sums;
    for (const [start, sum] of sums.entries()) {
      const starts = this.#startsBySum.get(sum);
      if (starts) starts.push(start);
      else this.#startsBySum.set(sum, [start]);
    }
  }

  /**
   * The runs whose sum is exactly a target.
   *
   * @param count how many of the amounts, from the first, may be used
   * @param most the most runs that are listed
   */
  thatSum(target: bigint, count: number, most: number): { readonly found: readonly Run[]; readonly more: boolean } {
    const found: Run[] = [];
    for (let end = 2; end <= count; end += 1) {
      for (const start of this.#startsBySum.get(this.#sums[end]! - target) ?? []) {
        if (start > end - 2) break;
        if (found.length === most) return { found, more: true };
        found.push([start, end - 1]);
      }
    }
    return { found, more: false };
  }
}

/** The rules that match a receipt to invoices by its amount. */
import { groupBy } from '../base/group.ts';
import type { TriedSentence } from '../base/sentence.ts';
import { formatUnits } from '../money/units.ts';
import { MOST_WAYS } from './model.ts';
import type { OpenInvoice, OpenItems, OpenReceipt } from './open-items.ts';
import {
  bookUnambiguous,
  type Choice,
  type ReceiptChoices,
  type Rule,
  receiptsByAmount,
  sayInvoices,
  whyAmountDiffers,
  whyTooFarApart,
} from './rule.ts';
import { KeptSearches } from './subset-sum.ts';

/**
 * `equal`: one receipt is exactly what is outstanding of one invoice, within `match_days` after its date. A debit is
 * what one invoice was overpaid, or what you owe on it, however late. A receipt that clearly names an invoice is not
 * matched to another by its amount. A receipt that equals several invoices is ambiguous.
 */
export const equalRule: Rule = (items) => {
  const receipts = receiptsWithoutNames(items);
  const byOutstanding = groupBy(
    items.invoices.filter(({ outstanding }) => outstanding !== 0n),
    ({ outstanding }) => outstanding,
  );
  // `match explain` alone shows why the nearest pairs are not equal.
  for (const [receipt, invoice] of items.tried?.nearestPairs(receipts, [...byOutstanding.values()].flat()) ?? []) {
    const why = whyNotEqual(items, receipt, invoice);
    if (why !== null) items.tried!.say('equal', [receipt], [invoice], why);
  }
  const receiptChoices = receipts.map((receipt): ReceiptChoices => {
    const sameAmount = byOutstanding.get(receipt.left) ?? [];
    const equal = sameAmount.filter((invoice) => whyNotEqual(items, receipt, invoice) === null);
    const choices = equal.slice(0, MOST_WAYS).map((invoice) => ({ rule: 'equal' as const, invoices: [invoice] }));
    return { receipt, choices, tooMany: equal.length > MOST_WAYS };
  });
  return bookUnambiguous(items, receiptChoices, ({ invoices }, { left }) => {
    const invoice = sayInvoices(invoices);
    return left > 0n
      ? `the amount is what ${invoice} alone asks for within ${items.matchDays} days`
      : `the amount is what ${invoice} alone was overpaid, or is owed on it`;
  });
};

/** The receipts that clearly name no invoice, credits first. */
function receiptsWithoutNames(items: OpenItems): OpenReceipt[] {
  const receipts = [...receiptsByAmount(items, 'equal', 1), ...receiptsByAmount(items, 'equal', -1)];
  return receipts.filter((receipt) => {
    const { strong } = receipt.names;
    if (strong.length === 0) return true;
    items.tried?.say('equal', [receipt], items.invoicesOf(strong), { id: 'tried-names-by-name' });
    return false;
  });
}

/** Why a receipt is not the payment of an invoice; null if it may be. */
function whyNotEqual(items: OpenItems, receipt: OpenReceipt, invoice: OpenInvoice): TriedSentence | null {
  if (invoice.outstanding !== receipt.left) return whyAmountDiffers(items.currency, [invoice], [receipt]);
  const mostDays = receipt.left < 0n ? Number.POSITIVE_INFINITY : items.matchDays;
  return whyTooFarApart(receipt, invoice, mostDays);
}

const MOST_IN_A_SET = 12;
/** At most 200 ms of search on a small machine: enough to try all sets of 36 invoices, or of more if few fit. */
const WORK = 2 ** 18;

/**
 * `set` and `run`: one receipt is the sum of one set of at most 12 outstanding invoices, or of one run by date, none
 * newer.
 *
 * A receipt that clearly names invoices is ambiguous if a set or run contains all of them and others
 * ({@link bookUnambiguous} sees to that).
 *
 * @returns the rule; it keeps a receipt's last search until the receipt or its invoices change
 */
export function setsRule(): Rule {
  const searches = new KeptSearches<OpenReceipt>();
  return (items) => {
    const open = items.invoices.filter(({ outstanding }) => outstanding !== 0n);
    const runs = new Runs(open.map(({ outstanding }) => outstanding));
    const receipts = receiptsByAmount(items, 'set', 1);
    const receiptChoices = receipts.map((receipt) => choicesFor(receipt, items, { open, runs, searches }));
    return bookUnambiguous(items, receiptChoices, ({ rule, invoices }) => {
      const only = rule === 'run' ? 'the only run by date' : 'the only set';
      return `the amount is the sum of ${sayInvoices(invoices)}, ${only} that gives it`;
    });
  };
}

/** What the receipts of one pass share: the outstanding invoices by date, and the searches among them. */
interface PassSearch {
  readonly open: readonly OpenInvoice[];
  readonly runs: Runs;
  readonly searches: KeptSearches<OpenReceipt>;
}

/** The sets and runs that are exactly what is left of a receipt; each has all invoices that it clearly names. */
function choicesFor(receipt: OpenReceipt, items: OpenItems, { open, runs, searches }: PassSearch): ReceiptChoices {
  const named = items.invoicesOf(receipt.names.strong);
  // A named invoice that is paid, or was issued later, cannot be in a set.
  const inNoSet = named.filter(({ outstanding, day }) => outstanding === 0n || day > receipt.day);
  for (const invoice of inNoSet) {
    // Without a limit of days, only an invoice that was issued after the receipt is too far apart.
    const why = whyTooFarApart(receipt, invoice, Number.POSITIVE_INFINITY);
    items.tried?.say('set', [receipt], [invoice], invoice.outstanding === 0n ? { id: 'tried-paid' } : why!);
  }
  if (inNoSet.length > 0) return { receipt, choices: [], tooMany: false };
  const issued = countUntil(open, receipt.day);
  const searched = { open, issued, named };
  const pool = poolOf(receipt, searched, items.matchDays);
  const target = receipt.left - named.reduce((sum, { outstanding }) => sum + outstanding, 0n);
  // A set has 2 to 12 invoices, the named ones among them.
  const limits = {
    least: Math.max(1, 2 - named.length),
    most: MOST_IN_A_SET - named.length,
    ways: MOST_WAYS,
    work: WORK,
  };
  const amounts = pool.map(({ outstanding }) => outstanding);
  const { sets, tooMany } = searches.find(receipt, amounts, target, limits);
  const setsFound = sets.map((set): Choice => {
    const numbers = [...named, ...set.map((index) => pool[index]!)].map(({ number }) => number);
    return { rule: 'set', invoices: items.invoicesOf(numbers) };
  });
  const { found: runsFound, more } = runsOf(receipt, searched, runs);
  const all = [...setsFound, ...runsFound.map((invoices): Choice => ({ rule: 'run', invoices }))];
  // A run may be a set as well: it counts once.
  const alike = groupBy(all, ({ invoices }) => invoices.map(({ number }) => number).join());
  const choices = [...alike.values()].map(([first]) => first!);
  const isCut = tooMany || more || choices.length > MOST_WAYS;
  if (choices.length === 0 && !isCut) {
    const { currency } = items;
    const why = { id: 'tried-no-set', invoices: issued, left: formatUnits(receipt.left), currency } as const;
    items.tried?.say('set', [receipt], [], why);
  }
  return { receipt, choices: choices.slice(0, MOST_WAYS), tooMany: isCut };
}

/** The invoices among which one receipt's sets and runs are searched. */
interface SearchedInvoices {
  /** All that are outstanding, by date. */
  readonly open: readonly OpenInvoice[];
  /** How many of them, from the first, were issued by the receipt's day. */
  readonly issued: number;
  /** Those that the receipt clearly names. */
  readonly named: readonly OpenInvoice[];
}

/**
 * The invoices that may be in a set with the named ones. If more than 12 are outstanding, only those issued within
 * `match_days` before the receipt, as for `equal`: each invoice that was never paid doubles the number of sets, and
 * among very many sets any amount comes up by chance. Runs are few, and have no such limit.
 */
function poolOf(receipt: OpenReceipt, { open, issued, named }: SearchedInvoices, matchDays: number): OpenInvoice[] {
  const first = issued <= MOST_IN_A_SET ? 0 : countUntil(open, receipt.day - matchDays - 1);
  return open.slice(first, issued).filter((invoice) => !named.includes(invoice) && mayJoin(invoice, named));
}

/** The runs that are what is left of a receipt, with all named invoices. `more`: not every run was looked at. */
function runsOf({ left }: OpenReceipt, { open, issued, named }: SearchedInvoices, runs: Runs) {
  // If invoices are named, only runs with all of them count, so every run is looked at: fewer than `issued ** 2`.
  const most = named.length > 0 ? issued ** 2 : 2 * MOST_WAYS;
  const { found, more } = runs.thatSum(left, issued, most);
  const ofReceipt = found.flatMap(([first, last]) => {
    const invoices = open.slice(first, last + 1);
    const hasNamed = named.every((invoice) => invoices.includes(invoice));
    return hasNamed && invoices.every((one) => named.includes(one) || mayJoin(one, named)) ? [invoices] : [];
  });
  return { found: ofReceipt, more };
}

/**
 * Whether an invoice that the receipt does not name may be in a set with those that it names. One that was paid in part
 * may not: it is likelier that the receipt just pays less than what the named ones ask for.
 */
function mayJoin({ wasEverMatched }: OpenInvoice, named: readonly OpenInvoice[]): boolean {
  return named.length === 0 || !wasEverMatched;
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
